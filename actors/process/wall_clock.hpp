// The wall clock, made to never go back.
//
// While it is behind what was seen, time advances with the monotonic clock.
#pragma once

#include "actors/ports/clock.hpp"

#include <mutex>

namespace almanac {

class WallClock : public Clock {
public:
  explicit WallClock(Instant not_before = {});
  Instant now() const override;

private:
  mutable std::mutex mutex_;
  mutable std::int64_t base_ = 0;      ///< epoch seconds at `monotonic_`
  mutable std::int64_t monotonic_ = 0; ///< nanoseconds
  mutable bool behind_ = false;
};

} // namespace almanac
