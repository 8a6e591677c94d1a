// Since when hosts are idle, for those who sort by it (spec/plus.md P6.9, P7.25).
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// After an input: hosts that their last task has left are idle from now on. It stands in their
/// records.
void note_idle_hosts(State& state, Instant now);

} // namespace almanac::rules
