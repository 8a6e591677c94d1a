#include "core/planning/throttling.hpp"

#include "core/matching/host_load.hpp"
#include "core/planning/suspension.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

struct Candidate {
  TaskId id;
  Instant started;
};

// The instance's active tasks that are throttled, or that are not.
std::vector<Candidate> tasks_on(const State& state, const InstanceName& instance, bool throttled) {
  std::vector<Candidate> found;
  for (const auto& id : state.tasks_on(instance.host)) {
    const auto& task = *state.task(id);
    if (task.is_active() && task.throttled == throttled &&
        std::any_of(task.grants.begin(), task.grants.end(),
                    [&](const Grant& grant) { return grant.instance == instance; }))
      found.push_back({id, task.started});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Candidate& a, const Candidate& b) { return a.started > b.started; });
  return found;
}

// Suspends the tasks started last, or lets those go on again that were suspended first.
void step(State& state, const QueueInstance& instance, bool suspend, Instant now) {
  auto candidates = tasks_on(state, instance.name, !suspend);
  if (!suspend) std::reverse(candidates.begin(), candidates.end());
  const auto count =
      std::min(candidates.size(), static_cast<std::size_t>(instance.settings.suspended_at_once));
  for (std::size_t i = 0; i < count; ++i)
    state.edit<Task>(candidates[i].id, [&](Task& task) { task.throttled = suspend; });
  state.edit<InstanceState>(instance.name, [&](InstanceState& condition) {
    condition.throttles = suspend || count < candidates.size();
    condition.next_throttling = now + instance.settings.suspend_interval;
  });
}

} // namespace

void throttle(State& state, Instant now) {
  std::set<std::string> changed;
  for (const auto& instance : state.configuration().instances()) {
    const auto& condition = state.instance(instance.name);
    if (instance.settings.suspend_thresholds.empty() && !condition.throttles) continue;
    if (condition.next_throttling > now) continue;
    const bool over = suspending(state, instance, now).has_value();
    if (!over && !condition.throttles) continue;
    step(state, instance, over, now);
    changed.insert(instance.name.host);
  }
  follow_suspension(state, changed);
}

void end_throttling(State& state) {
  std::set<std::string> changed;
  for (const auto& instance : state.configuration().instances()) {
    if (!instance.settings.suspend_thresholds.empty() || !state.instance(instance.name).throttles)
      continue;
    for (const auto& task : tasks_on(state, instance.name, true))
      state.edit<Task>(task.id, [](Task& throttled) { throttled.throttled = false; });
    state.edit<InstanceState>(instance.name,
                              [](InstanceState& condition) { condition.throttles = false; });
    changed.insert(instance.name.host);
  }
  follow_suspension(state, changed);
}

} // namespace almanac::rules
