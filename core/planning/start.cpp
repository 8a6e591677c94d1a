#include "core/planning/start.hpp"

#include "core/execution/checkpoint_rules.hpp"
#include "core/execution/fence.hpp"
#include "core/job/inside.hpp"
#include "core/planning/transitions.hpp"

#include <algorithm>

namespace almanac {

bool is_rerunnable(const Snapshot& state, const JobRequest& request, const Task& task) {
  if (runs_again_when_lost(state.configuration(), request)) return true;
  if (request.rerun != Rerun::as_queue) return request.rerun == Rerun::yes;
  const auto* instance = state.configuration().instance(task.grants.front().instance);
  return instance && instance->settings.rerun;
}

void take_place(const Snapshot& state, const Job& job, Task& task, Placement place, Instant now,
                ReservationKey attracted_by) {
  const auto offset = state.configuration().scheduler().duration_offset;
  auto& assignment = place.assignment;
  rules::change_state(task, TaskEvent::placed);
  ++task.attempt;
  task.pe = std::move(assignment.pe), task.grants = std::move(assignment.grants),
  task.bookings = std::move(assignment.bookings);
  task.booked = place.window;
  task.limit = asked_limit(job.request), task.soft_limit = asked_soft_limit(job.request);
  for (const auto& grant : task.grants) {
    const auto* instance = state.configuration().instance(grant.instance);
    task.limit = std::min(task.limit, instance->settings.hard_run_time);
    task.soft_limit = std::min(task.soft_limit, instance->settings.soft_run_time);
  }
  // The queue ends it earlier than it asked for (ruling).
  if (task.limit < asked_limit(job.request))
    task.booked.end = std::min(task.booked.end, now + task.limit + offset);
  task.attracted_by = attracted_by;
  if (const auto* reservation = state.reservation(reservation_of(job, task)))
    task.limit = std::min(task.limit, usable(*reservation).window.end - offset - now);
  const auto& on_host = state.configuration().on(task.grants.front().instance.host);
  const bool rerunnable = is_rerunnable(state, job, task);
  task.rerunnable = rerunnable && !reservation_of(job, task);
  const bool is_fenced = rerunnable || state.configuration().global().ends_what_cannot_rerun;
  task.fence = is_fenced ? fence_for(on_host.reschedule_unknown) : Duration{};
}

void start_next(State& state, JobKey key, Placement place, Instant now,
                ReservationKey attracted_by) {
  const TaskId id{key, next_waiting(*state.job(key), state.tally(key))};
  Task task;
  if (const auto* known = state.task(id)) task = *known;
  else {
    state.edit<Job>(
        key, [&](Job& job) { check(job.take_fresh(id.task), "a task to be placed is known"); });
    task.job = key, task.number = id.task;
  }
  take_place(state, *state.job(key), task, std::move(place), now, attracted_by);
  state.put(std::move(task));
}

} // namespace almanac
