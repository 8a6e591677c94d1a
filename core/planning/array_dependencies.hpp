// Tasks of an array that wait for those of their number in other arrays: -hold_jid_ad (spec/cli.md
// C3.25). All these arrays have the same range.
#pragma once

#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

/// Each end of a task is told to each array that waits for its own: so many, in both directions.
inline constexpr std::size_t most_array_dependencies = 20;

/// Of the tasks that never left the queue, those that one of the predecessors still has.
std::vector<TaskRange> blocked_tasks(const State& state, const Job& job,
                                     const std::vector<JobKey>& predecessors);

/// Tasks of that job have ended, or it is gone: those that waited for them may start.
void free_tasks_behind(State& state, JobKey predecessor);

} // namespace almanac::rules
