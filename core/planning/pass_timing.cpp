#include "core/planning/pass_timing.hpp"

#include <utility>

namespace almanac {

std::optional<Duration> PassTiming::want(Duration gather) {
  if (gather.seconds <= 0) is_wanted_ = true;
  else if (!std::exchange(is_put_off_, true)) return gather;
  return std::nullopt;
}

std::optional<Duration> PassTiming::await_turn(Instant turn, Instant now) {
  if (std::exchange(turn_, turn) == turn || turn.is_never()) return std::nullopt;
  return turn - now;
}

void PassTiming::heartbeat(bool has_jobs, Instant now) {
  is_wanted_ = is_wanted_ || has_jobs || now >= turn_;
}

bool PassTiming::begin_slice() {
  if (!std::exchange(is_wanted_, false)) return false;
  is_put_off_ = false;
  return true;
}

bool PassTiming::end_slice() { return std::exchange(is_wanted_, false); }

} // namespace almanac
