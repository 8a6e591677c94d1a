#include "tools/commands/caught_signals.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <sys/eventfd.h>

namespace almanac {

namespace {

// What the handler of a signal can reach: by its number, whose it is.
constinit std::array<std::atomic<CaughtSignals*>, NSIG> catchers{};
static_assert(std::atomic<CaughtSignals*>::is_always_lock_free, "a handler takes no locks");

} // namespace

void CaughtSignals::handle(int signal) {
  const int before = errno;
  auto& catcher = *catchers[static_cast<std::size_t>(signal)].load();
  catcher.last_ = signal;
  ::eventfd_write(catcher.file_, 1);
  errno = before;
}

int CaughtSignals::file() {
  if (file_ < 0) file_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return file_;
}

void CaughtSignals::add(int signal) {
  static_cast<void>(file());
  catchers[static_cast<std::size_t>(signal)] = this;
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

int CaughtSignals::take() {
  eventfd_t times = 0;
  return file_ >= 0 && ::eventfd_read(file_, &times) == 0 ? last_ : 0;
}

} // namespace almanac
