#include "actors/process/wall_clock.hpp"

#include <spdlog/spdlog.h>

#include <chrono>

namespace almanac {

namespace {

std::int64_t monotonic_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
std::int64_t wall_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

} // namespace

WallClock::WallClock(Instant not_before)
    : base_(std::max(wall_now(), not_before.seconds)), monotonic_(monotonic_now()) {}

Instant WallClock::now() const {
  const std::lock_guard lock(mutex_);
  const auto advanced = base_ + (monotonic_now() - monotonic_) / 1'000'000'000;
  const auto wall = wall_now();
  const bool behind = wall < advanced - 1;
  if (behind && !behind_)
    spdlog::error("the wall clock is {} s behind: time goes on with the monotonic clock",
                  advanced - wall);
  behind_ = behind;
  if (wall > advanced) base_ = wall, monotonic_ = monotonic_now();
  return {std::max(wall, advanced)};
}

} // namespace almanac
