// Who starts.
#pragma once

#include "core/planning/slice_limits.hpp"
#include "core/planning/state.hpp"

namespace almanac::rules {

/// Starts what can be started and holds what is to be held, a slice at a time; true if there is
/// more to look at.
bool pass(State& state, Instant now, SliceLimits limits = {});

} // namespace almanac::rules
