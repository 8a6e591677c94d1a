#include "tools/client/wait.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>

namespace almanac {

namespace {

using Clock = std::chrono::steady_clock;

// For poll: rounded up, so that it is over when poll says so.
int milliseconds_to(std::optional<Clock::time_point> end) {
  if (!end) return -1;
  const auto rest = std::chrono::ceil<std::chrono::milliseconds>(*end - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(rest, 0, INT_MAX));
}

} // namespace

bool Until::is_cancelled() const {
  pollfd file{cancel, POLLIN, 0};
  return cancel >= 0 && ::poll(&file, 1, 0) > 0;
}

bool Until::is_over() const { return (end && Clock::now() >= *end) || is_cancelled(); }

Until within(std::optional<std::chrono::milliseconds> time, int cancel) {
  if (!time) return {std::nullopt, cancel};
  return {Clock::now() + *time, cancel};
}

bool wait_for(int file, short events, const Until& until) {
  pollfd files[]{{file, events, 0}, {until.cancel, POLLIN, 0}}; // poll passes over -1
  for (;;) {
    const int ready = ::poll(files, 2, milliseconds_to(until.end));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || files[1].revents) return false;
    return true;
  }
}

bool pause_for(std::chrono::milliseconds time, const Until& until) {
  auto pause = within(time, until.cancel);
  if (until.end) pause.end = std::min(*pause.end, *until.end);
  wait_for(-1, 0, pause);
  return !until.is_over();
}

} // namespace almanac
