#include "core/records/task_tally.hpp"

#include "core/records/records.hpp"

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

bool is_finished(const Job& job, const TaskTally& tally) {
  return job.fresh.empty() && tally.all() == 0;
}

namespace {

// Of the tasks that never left the queue, those that wait for none of another array; at most so
// many. Both lists ascend.
std::vector<std::int64_t> next_fresh(const Job& job, std::size_t most) {
  std::vector<std::int64_t> next;
  auto blocked = job.blocked.begin();
  for (const auto& range : job.fresh)
    for (auto number = range.first; number <= range.last; number += range.step) {
      if (next.size() >= most) return next;
      while (blocked != job.blocked.end() && blocked->last < number) ++blocked;
      if (blocked == job.blocked.end() || blocked->first > number) next.push_back(number);
      else number = std::min(blocked->last, range.last); // they end where its steps do
    }
  return next;
}

} // namespace

std::int64_t next_waiting(const Job& job, const TaskTally& tally) {
  if (!tally.next.empty()) return *tally.next.begin();
  const auto next = next_fresh(job, 1);
  return next.empty() ? -1 : next.front();
}

std::vector<std::int64_t> next_waiting(const Job& job, const TaskTally& tally, std::size_t most) {
  std::vector<std::int64_t> next;
  for (const auto number : tally.next) {
    if (next.size() >= most) return next;
    next.push_back(number);
  }
  const auto fresh = next_fresh(job, most - next.size());
  next.insert(next.end(), fresh.begin(), fresh.end());
  return next;
}

bool is_eligible(const Job& job, const TaskTally& tally) {
  return !job.is_held() && job.waits_for.empty() && next_waiting(job, tally) >= 0;
}

} // namespace almanac
