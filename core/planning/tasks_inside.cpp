#include "core/planning/tasks_inside.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace almanac::rules {

void each_task_inside(const State& state, const Reservation& reservation,
                      const std::function<void(const Job& job, const Task& task)>& take) {
  for (const auto key : state.occupancy().jobs_of.of(reservation.key))
    for (const auto& task : state.tasks_of(key))
      if (task.is_active()) take(*state.job(key), task);
}

std::string name_inside(const Job& job, const Task& task) {
  return to_string(job.number) + (task.number > 0 ? "." + std::to_string(task.number) : "");
}

std::vector<Grant> held_by_tasks(const State& state, const Reservation& reservation) {
  std::map<InstanceName, std::int64_t> slots;
  each_task_inside(state, reservation, [&](const Job&, const Task& task) {
    for (const auto& grant : task.grants) slots[grant.instance] += grant.slots;
  });
  std::vector<Grant> held;
  for (const auto& [instance, count] : slots) held.push_back({instance, count});
  return held;
}

std::optional<Statement> overrun_of(const State& state, const Job& job, const Task& task,
                                    Window window) {
  const auto latest = window.end - state.configuration().scheduler().duration_offset;
  const auto end = task.last_moment();
  if (end.is_never() || end <= latest) return std::nullopt;
  return Statement{AnswerCode::task_runs_longer,
                   {{"task", name_inside(job, task)}, {"seconds", (end - latest).seconds}}};
}

namespace {

Duration limit_in(const State& state, const Job& job, const Task& task, Window window) {
  auto limit = asked_limit(job.request);
  for (const auto& grant : task.grants)
    if (const auto* instance = state.configuration().instance(grant.instance))
      limit = std::min(limit, instance->settings.hard_run_time);
  const auto offset = state.configuration().scheduler().duration_offset;
  return std::min(limit, window.end - offset - task.booked.start);
}

} // namespace

void prolong_tasks(State& state, ReservationKey key) {
  const auto& reservation = *state.reservation(key);
  std::vector<std::pair<TaskId, Duration>> longer;
  each_task_inside(state, reservation, [&](const Job& job, const Task& task) {
    const auto limit = limit_in(state, job, task, usable(reservation).window);
    if (!task.deleting && limit > task.limit) longer.emplace_back(task.id(), limit);
  });
  for (const auto& [id, limit] : longer)
    state.edit<Task>(id, [limit = limit](Task& task) { task.limit = limit; });
}

std::optional<Statement> KeptByShape::lacks(const Job& job, const Task& task) {
  for (const auto& [container, resource, amount] : task.bookings)
    if ((left_[{container, resource}] -= amount) < 0)
      return Statement{AnswerCode::task_holds_more,
                       {{"task", name_inside(job, task)},
                        {"resource", resource.name},
                        {"container", container.text()}}};
  return std::nullopt;
}

} // namespace almanac::rules
