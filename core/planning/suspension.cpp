#include "core/planning/suspension.hpp"

#include "core/planning/letters.hpp"
#include "core/planning/migration.hpp"

#include <algorithm>
#include <vector>

namespace almanac::rules {

namespace {

bool is_suspended_by_queue(const State& state, const Task& task) {
  return std::any_of(task.grants.begin(), task.grants.end(), [&](const Grant& grant) {
    const auto& instance = state.instance(grant.instance);
    return instance.suspended || instance.subordinated || instance.opening == Opening::suspended;
  });
}

bool has_cause(const Task& task) {
  return task.suspended_by_user || task.suspended_by_queue || task.suspended_by_slots ||
         task.throttled;
}

template <class Change> void change_causes(State& state, const TaskId& id, Change change) {
  const bool was_suspended = state.task(id)->suspended;
  state.edit<Task>(id, [&](Task& task) {
    change(task);
    task.suspended = has_cause(task);
  });
  if (const auto& task = *state.task(id); task.suspended && !was_suspended)
    mail(state, Occasion::job_suspended, *state.job(id.job), task);
  if (!was_suspended) move_if_suspended(state, id);
}

} // namespace

std::size_t follow_suspension(State& state, const std::set<std::string>& hosts) {
  std::set<TaskId> tasks;
  for (const auto& host : hosts) tasks.merge(state.tasks_on(host));
  for (const auto& id : tasks) {
    const auto& task = *state.task(id);
    if (!task.is_active()) continue;
    const bool by_queue = is_suspended_by_queue(state, task);
    const bool is_to_be =
        by_queue || task.throttled || task.suspended_by_user || task.suspended_by_slots;
    if (by_queue == task.suspended_by_queue && is_to_be == task.suspended) continue;
    change_causes(state, id, [&](Task& changed) { changed.suspended_by_queue = by_queue; });
  }
  return tasks.size();
}

void suspend_by_user(State& state, const TaskId& id, bool is_suspended) {
  check(state.task(id)->is_active(), "only what is active is suspended");
  const bool by_queue = is_suspended_by_queue(state, *state.task(id));
  change_causes(state, id, [&](Task& task) {
    task.suspended_by_user = is_suspended, task.suspended_by_queue = by_queue;
  });
}

void suspend_by_slots(State& state, const TaskId& id, bool is_suspended) {
  change_causes(state, id, [&](Task& task) { task.suspended_by_slots = is_suspended; });
}

} // namespace almanac::rules
