// Reservations that lost a part of what they hold (spec/beyond.md section 1).
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// Replaces what is lost by healthy capacity, where that is wanted, and undoes it when all that was
/// granted is healthy again; no task is touched. Replenishes spare hosts. Notes what can't be done,
/// and why.
void repair_reservations(State& state, Instant now);

} // namespace almanac::rules
