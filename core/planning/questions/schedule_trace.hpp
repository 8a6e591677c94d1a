// The schedule trace (params MONITOR=1): what is booked after a scheduling run (spec/scheduling.md
// section 11).
#pragma once

#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac {

/// "::::::::", then job:task:state:start:duration:level:object:resource:utilization for each
/// booking: running tasks, advance reservations as 0:0, tasks started at `now`, and what is held.
/// What has no end lasts 4294967295 s.
std::vector<std::string> schedule_trace(const State& state, Instant now);

} // namespace almanac
