#include "core/planning/array_dependencies.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

// Of ranges with one step, in any order: ascending, none of them meets the next.
std::vector<TaskRange> joined(std::vector<TaskRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const TaskRange& a, const TaskRange& b) { return a.first < b.first; });
  std::vector<TaskRange> result;
  for (const auto& range : ranges)
    if (!result.empty() && range.first <= result.back().last + range.step)
      result.back().last = std::max(result.back().last, range.last);
    else result.push_back(range);
  return result;
}

// What both have; both ascend, with one step.
std::vector<TaskRange> common(const std::vector<TaskRange>& a, const std::vector<TaskRange>& b) {
  std::vector<TaskRange> result;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    const auto first = std::max(left->first, right->first),
               last = std::min(left->last, right->last);
    if (first <= last) result.push_back({first, last, left->step});
    if (left->last < right->last) ++left;
    else ++right;
  }
  return result;
}

} // namespace

std::vector<TaskRange> blocked_tasks(const State& state, const Job& job,
                                     const std::vector<JobKey>& predecessors) {
  std::vector<TaskRange> left;
  for (const auto key : predecessors) {
    const auto* other = state.job(key);
    if (!other) continue;
    left.insert(left.end(), other->fresh.begin(), other->fresh.end());
    for (const auto& task : state.tasks_of(key))
      left.push_back({task.number, task.number, job.request->tasks.step});
  }
  return common(job.fresh, joined(std::move(left)));
}

void free_tasks_behind(State& state, JobKey predecessor) {
  const auto successors = state.occupancy().array_successors.of(predecessor); // it will change
  for (const auto key : successors) {
    const auto& job = *state.job(key);
    auto waits_for = job.waits_for_tasks;
    std::erase_if(waits_for, [&](JobKey other) { return !state.job(other); });
    auto blocked = blocked_tasks(state, job, waits_for);
    if (blocked == job.blocked && waits_for == job.waits_for_tasks) continue;
    state.edit<Job>(key, [&](Job& changed) {
      changed.blocked = std::move(blocked);
      changed.waits_for_tasks = std::move(waits_for);
    });
  }
}

} // namespace almanac::rules
