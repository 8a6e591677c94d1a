// Time for decisions, from a wall clock that people and programs set and a counter that they can't.
// Source: design.md section 7, Time.
//
// 1. It never goes back: while the wall clock is behind it goes on with the counter.
// 2. It does not follow a leap ahead that the counter does not show, which would close reservations
//    and end jobs, until the wall clock has stayed there for a while.
#pragma once

#include "core/base/time.hpp"

#include <algorithm>
#include <cstdint>

namespace almanac {

class SteadyTime {
public:
  static constexpr Duration leap{60};          ///< more than that ahead at once
  static constexpr Duration confirmation{300}; ///< after so long it is believed

  enum class News { none, behind, leapt, confirmed, withdrawn };
  struct Reading {
    Instant now;
    News news = News::none; ///< said once, when it begins
    Duration ahead;         ///< the wall clock, of what time was thought to be
  };

  /// `wall` is believed here, unless it is before `not_before`. Counters are in nanoseconds.
  SteadyTime(Instant wall, std::int64_t counter, Instant not_before)
      : base_(std::max(wall, not_before)), counter_(counter) {}
  Reading read(Instant wall, std::int64_t counter);

private:
  void follow(Instant wall, std::int64_t counter) { base_ = wall, counter_ = counter; }

  Instant base_; ///< the time at `counter_`
  std::int64_t counter_;
  std::int64_t leapt_ = 0; ///< the counter when the wall clock leapt; 0: it did not
  bool behind_ = false;
};

} // namespace almanac
