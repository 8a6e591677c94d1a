#include "tools/client/interrupt.hpp"

#include <csignal>
#include <poll.h>

namespace almanac {

namespace {

bool catches_interrupt = false;
volatile std::sig_atomic_t interrupted = 0;

timespec to_timespec(std::chrono::milliseconds time) {
  return {time.count() / 1000, time.count() % 1000 * 1'000'000};
}

} // namespace

void catch_interrupt() {
  catches_interrupt = true;
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGINT);
  ::sigprocmask(SIG_BLOCK, &only, nullptr);
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  ::sigaction(SIGINT, &action, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

bool take_interrupt() {
  const bool came = was_interrupted();
  interrupted = 0;
  return came;
}

// Ctrl-C comes through only here, so that none is missed between a look at it and the wait.
bool wait_for_bytes(int file, std::optional<std::chrono::milliseconds> patience) {
  if (!catches_interrupt && !patience) return true; // whoever reads then waits as well
  pollfd waiting{file, POLLIN, 0};
  sigset_t none;
  sigemptyset(&none);
  const auto longest = to_timespec(patience.value_or(std::chrono::milliseconds{0}));
  const int ready =
      ::ppoll(&waiting, 1, patience ? &longest : nullptr, catches_interrupt ? &none : nullptr);
  return ready != 0 && !was_interrupted();
}

} // namespace almanac
