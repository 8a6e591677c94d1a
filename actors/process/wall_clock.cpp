#include "actors/process/wall_clock.hpp"

#include "actors/process/boot_clock.hpp"

#include <spdlog/spdlog.h>

#include <ctime>

namespace almanac {

namespace {

std::int64_t counter_now() { return boot_clock_ms() * 1'000'000; }
Instant wall_now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return {time.tv_sec};
}

void tell(const SteadyTime::Reading& reading) {
  const auto ahead = reading.ahead.seconds;
  switch (reading.news) {
  case SteadyTime::News::none: return;
  case SteadyTime::News::behind:
    return spdlog::error("the wall clock is {} s behind: time goes on with the machine's counter",
                         -ahead);
  case SteadyTime::News::leapt:
    return spdlog::error("the wall clock has leapt {} s ahead: it is followed once it has stayed "
                         "so for {} s, or after a restart",
                         ahead, SteadyTime::confirmation.seconds);
  case SteadyTime::News::confirmed:
    return spdlog::warn("the wall clock is followed, {} s ahead", ahead);
  case SteadyTime::News::withdrawn: return spdlog::warn("the wall clock is back from its leap");
  }
}

} // namespace

WallClock::WallClock(Instant not_before) : time_(wall_now(), counter_now(), not_before) {}

Instant WallClock::now() const {
  const std::lock_guard lock(mutex_);
  const auto reading = time_.read(wall_now(), counter_now());
  tell(reading);
  return reading.now;
}

} // namespace almanac
