#include "core/base/steady_time.hpp"

#include <utility>

namespace almanac {

SteadyTime::Reading SteadyTime::read(Instant wall, std::int64_t counter) {
  constexpr std::int64_t second = 1'000'000'000;
  const auto counted = base_ + Duration{(counter - counter_) / second};
  Reading reading{counted, News::none, wall - counted};
  if (reading.ahead > leap) {
    if (leapt_ == 0) {
      leapt_ = counter;
      reading.news = News::leapt;
    } else if ((counter - leapt_) / second >= confirmation.seconds) {
      leapt_ = 0;
      follow(wall, counter);
      reading.now = wall, reading.news = News::confirmed;
    }
    return reading;
  }
  if (std::exchange(leapt_, 0) != 0) reading.news = News::withdrawn;
  const bool behind = reading.ahead < Duration{-1};
  if (behind && !behind_) reading.news = News::behind;
  behind_ = behind;
  if (wall > counted) {
    follow(wall, counter);
    reading.now = wall;
  }
  return reading;
}

} // namespace almanac
