#include "tools/commands/interrupt.hpp"

#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <sys/eventfd.h>

namespace almanac {

namespace {

int bell = -1; // what the handler of a signal can reach
volatile std::sig_atomic_t last = 0;

void ring(int signal) {
  const int before = errno;
  last = signal;
  ::eventfd_write(bell, 1);
  errno = before;
}

void catch_signal(int signal) {
  static_cast<void>(interrupt_file());
  struct sigaction action {};
  action.sa_handler = ring;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

} // namespace

int interrupt_file() {
  if (bell < 0) bell = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return bell;
}

void catch_interrupt() { catch_signal(SIGINT); }

void catch_end() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) catch_signal(signal);
}

int take_interrupt() {
  eventfd_t times = 0;
  return bell >= 0 && ::eventfd_read(bell, &times) == 0 ? last : 0;
}

} // namespace almanac
