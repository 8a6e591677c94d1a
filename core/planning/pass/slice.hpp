// Who starts.
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// A slice ends after so much work; then other requests get their turn.
struct SliceLimits {
  int starts = 256;
  int looks = 300;
};

/// Starts what can be started and holds what is to be held, a slice at a time; true if there is
/// more to look at.
bool pass(State& state, Instant now, SliceLimits limits = {});

} // namespace almanac::rules
