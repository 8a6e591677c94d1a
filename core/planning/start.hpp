// A task takes its place.
#pragma once

#include "core/matching/placement.hpp"
#include "core/planning/state.hpp"

namespace almanac {

/// Whether the task may run again after it began: as -r or else its queue says.
bool is_rerunnable(const Snapshot& state, const JobRequest& request, const Task& task);
inline bool is_rerunnable(const Snapshot& state, const Job& job, const Task& task) {
  return is_rerunnable(state, job.request, task);
}

/// The task holds its place and is to be started; `attracted_by`: in this reservation, which its job
/// did not name.
void take_place(const Snapshot& state, const Job& job, Task& task, Placement place, Instant now,
                ReservationKey attracted_by = {});
/// The job's next task takes the place.
void start_next(State& state, JobKey key, Placement place, Instant now,
                ReservationKey attracted_by = {});

} // namespace almanac
