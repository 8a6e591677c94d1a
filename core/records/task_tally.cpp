#include "core/records/task_tally.hpp"

#include "core/records/records.hpp"
#include "core/text/task_numbers.hpp"

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

std::int64_t next_waiting(const Job& job, const TaskTally& tally) {
  if (!tally.next.empty()) return *tally.next.begin();
  return job.fresh.empty() ? -1 : job.fresh.front().first;
}

std::vector<std::int64_t> next_waiting(const Job& job, const TaskTally& tally, std::size_t most) {
  std::vector<std::int64_t> next;
  for (const auto number : tally.next) {
    if (next.size() >= most) return next;
    next.push_back(number);
  }
  for (const auto& range : job.fresh)
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
