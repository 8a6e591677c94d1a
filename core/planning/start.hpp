// A task takes its place.
#pragma once

#include "core/matching/placement.hpp"

namespace almanac {

/// Whether the task may run again after it began: as -r or else its queue says.
bool is_rerunnable(const State& state, const Job& job, const Task& task);

/// The job's next task takes its place and is to be started.
void take_place(State& state, Job& job, Placement place, Instant now);

} // namespace almanac
