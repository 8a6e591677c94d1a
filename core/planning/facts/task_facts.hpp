// What is reported of tasks.
#pragma once

#include "core/planning/fact.hpp"
#include "core/planning/state.hpp"

namespace almanac::rules {

void task_started(State& state, const TaskStarted& fact, Instant now);
void launch_failed(State& state, const LaunchFailed& fact, Instant now);
void task_ended(State& state, const TaskEnded& fact, Instant now);
void task_lost(State& state, const TaskLost& fact, Instant now);
void part_silent(State& state, const PartSilent& fact);
void task_saved(State& state, const TaskSaved& fact);
void task_fenced(State& state, const TaskFenced& fact, Instant now);
/// Ends a task whose moment has come since its reservation was shortened.
void end_cut_task(State& state, const TaskOverdue& fact, Instant now);
void task_overdue(State& state, const TaskOverdue& fact, Instant now);

/// Books on what runs beyond the end of its booking, so that nothing is put in its place.
void extend_overdue(State& state, Instant now);

} // namespace almanac::rules
