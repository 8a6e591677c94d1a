// Slots that are free and stay free, since bookings keep them from jobs that wait (spec/beyond.md
// B9.3): a figure of the report of what became of each slot-second. Nothing is decided by it.
//
// It is a lower bound: only so many jobs are looked at.
#pragma once

#include "core/planning/state.hpp"
#include "core/utilization/usage.hpp"

#include <cstdint>
#include <vector>

namespace almanac::rules {

struct Gap {
  InstanceName instance;
  ReservationId reservation; ///< the first one in the way; none: what is held for a waiting job
  std::int64_t slots = 0;    ///< 1 at least
  bool operator==(const Gap&) const = default;
};

/// Where jobs that wait would start now if nothing were booked for later; those of each instance by
/// reservation, ascending. Nothing while a pass goes on.
std::vector<Gap> gaps(const State& state, Instant now);

} // namespace almanac::rules
