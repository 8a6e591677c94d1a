#include "core/planning/questions/host_tasks.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

std::vector<WantedTask> tasks_wanted_on(const State& state, const std::string& host) {
  std::vector<WantedTask> wanted;
  for (const auto& id : state.tasks_on(host)) {
    const auto* task = state.task(id);
    wanted.push_back({{id.job, id.task, task->attempt},
                      task->grants.front().instance.host == host,
                      task->state == TaskState::running});
  }
  return wanted;
}

bool is_over(const State& state, const Attempt& attempt) {
  if (!attempt.job) return true; // a hook: it is called again
  const auto* job = state.job(attempt.job);
  const auto& counters = state.counters();
  if (!job)
    return attempt.job.value < counters.lost_from ||
           (attempt.job.value > counters.lost_to && attempt.job.value <= counters.last_key);
  if (const auto* task = state.task(attempt.id())) return attempt.attempt <= task->attempt;
  const bool never_left = std::any_of(job->fresh.begin(), job->fresh.end(), [&](auto& range) {
    return attempt.task >= range.first && attempt.task <= range.last;
  });
  return !never_left;
}

ValidInput fact_of_end(const LaunchFailed& end, bool began, std::vector<ProcessEnd> processes) {
  if (began) return TaskEnded{end.attempt, end.record, std::move(processes)};
  return end;
}

std::optional<ValidInput> fact_of_part(const LaunchFailed& end, bool began) {
  if (end.record.failed == failed::killed) return std::nullopt;
  if (began) return TaskLost{end.attempt, end.host};
  return end;
}

} // namespace almanac
