#include "core/records/task_tally.hpp"

#include "core/records/records.hpp"
#include "core/text/task_numbers.hpp"

#include <algorithm>

namespace almanac {

namespace {

void enter(TaskTally& tally, const Task& task) {
  if (task.is_active()) ++tally.active;
  else if (task.state == TaskState::error) ++tally.in_error;
  else ++tally.pending;
  if (task.is_next()) tally.next.insert(task.number);
  if (task.rests()) tally.resting.insert({task.rests_until, task.number});
}

void take_out(TaskTally& tally, const Task& task) {
  if (task.is_active()) --tally.active;
  else if (task.state == TaskState::error) --tally.in_error;
  else --tally.pending;
  tally.next.erase(task.number);
  tally.resting.erase({task.rests_until, task.number});
}

} // namespace

const TaskTally& TaskTallies::of(JobKey key) const {
  static const TaskTally none;
  const auto it = tallies_.find(key);
  return it == tallies_.end() ? none : it->second;
}

void TaskTallies::rebuild(const Records& records) {
  tallies_.clear();
  for (const auto& task : Listing<Task>(records.all<Task>())) changed(nullptr, &task);
}

void TaskTallies::changed(const Task* before, const Task* after) {
  auto& tally = tallies_[(before ? before : after)->job];
  if (before) take_out(tally, *before);
  if (after) enter(tally, *after);
  else if (tally.all() == 0) tallies_.erase(before->job);
}

std::int64_t waiting_tasks(const Job& job, const TaskTally& tally) {
  return job.fresh_tasks() + tally.pending;
}

std::int64_t waiting_unheld(const Job& job, const TaskTally& tally) {
  if (job.task_holds.empty()) return waiting_tasks(job, tally) - job.blocked_tasks();
  std::int64_t count = 0;
  for (const auto& range : tasks_not_held(job.fresh, job.task_holds, job.blocked))
    count += range.count();
  const auto is_free = [&](std::int64_t task) { return !job.task_holds.contains(task); };
  count += std::count_if(tally.next.begin(), tally.next.end(), is_free);
  return count + std::count_if(tally.resting.begin(), tally.resting.end(),
                               [&](const auto& rest) { return is_free(rest.second); });
}

bool is_finished(const Job& job, const TaskTally& tally) {
  return job.fresh.empty() && tally.all() == 0;
}

namespace {

// Of the tasks that never left the queue, those that nobody holds by themselves and that wait for none
// of another array.
std::vector<TaskRange> free_fresh(const Job& job) {
  return tasks_not_held(job.fresh, job.task_holds, job.blocked);
}

} // namespace

std::int64_t next_waiting(const Job& job, const TaskTally& tally) {
  if (job.task_holds.empty()) {
    if (!tally.next.empty()) return *tally.next.begin();
    if (job.blocked.empty()) return job.fresh.empty() ? -1 : job.fresh.front().first;
  }
  const auto next = next_waiting(job, tally, 1);
  return next.empty() ? -1 : next.front();
}

std::vector<std::int64_t> next_waiting(const Job& job, const TaskTally& tally, std::size_t most) {
  std::vector<std::int64_t> next;
  for (const auto number : tally.next) {
    if (next.size() >= most) return next;
    if (!job.task_holds.contains(number)) next.push_back(number);
  }
  for (const auto& range : free_fresh(job))
    for (const auto number : TaskNumbers(range)) {
      if (next.size() >= most) return next;
      next.push_back(number);
    }
  return next;
}

bool is_eligible(const Job& job, const TaskTally& tally) {
  return !job.is_held() && job.waits_for.empty() && next_waiting(job, tally) >= 0;
}

} // namespace almanac
