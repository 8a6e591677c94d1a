// The machine's clocks as one that never goes back and does not leap (core/base/steady_time.hpp).
#pragma once

#include "actors/ports/clock.hpp"
#include "core/base/steady_time.hpp"

#include <mutex>

namespace almanac {

class WallClock : public Clock {
public:
  explicit WallClock(Instant not_before = {});
  /// Any thread. What is wrong with the wall clock is logged once.
  Instant now() const override;

private:
  mutable std::mutex mutex_; // guards time_
  mutable SteadyTime time_;
};

} // namespace almanac
