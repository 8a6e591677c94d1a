// Suspend thresholds.
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// Suspends tasks of instances that have reached a threshold, nsuspend at a time; lets them go on.
void throttle(State& state, Instant now);

} // namespace almanac::rules
