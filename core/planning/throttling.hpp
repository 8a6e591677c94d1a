// Suspend thresholds.
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// Suspends tasks of instances that have reached a threshold, nsuspend at a time; lets them go on.
void throttle(State& state, Instant now);

/// Lets all go on in instances that have no threshold any more: no report of load is waited for.
void end_throttling(State& state);

} // namespace almanac::rules
