// What the tasks of each job come to: how many run or wait, and which is next.
#pragma once

#include "core/records/index.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace almanac {

/// Of one job; tasks that never left the queue are not counted.
struct TaskTally {
  std::int64_t active = 0, pending = 0, in_error = 0;
  std::set<std::int64_t> next;                        ///< pending ones that may be placed
  std::set<std::pair<Instant, std::int64_t>> resting; ///< pending ones, by the end of their rest

  std::int64_t all() const { return active + pending + in_error; }
  bool operator==(const TaskTally&) const = default;
};

class TaskTallies : public ComparedIndex<TaskTallies> {
public:
  using Index::changed;
  bool operator==(const TaskTallies&) const = default;
  void rebuild(const Records& records) override;
  const TaskTally& of(JobKey key) const;
  /// nullptr: it was not, or is not there.
  void changed(const Task* before, const Task* after) override;

private:
  std::map<JobKey, TaskTally> tallies_; ///< of jobs that have such tasks
};

std::int64_t waiting_tasks(const Job& job, const TaskTally& tally);
/// Those of them that nobody holds by themselves, and that wait for none of another array.
std::int64_t waiting_unheld(const Job& job, const TaskTally& tally);
bool is_finished(const Job& job, const TaskTally& tally);
/// The task that is next to be placed: a returned one, else the first fresh one, of those that nobody
/// holds by themselves; -1 for none.
std::int64_t next_waiting(const Job& job, const TaskTally& tally);
/// The tasks that are next, in that order, `most` at the most.
std::vector<std::int64_t> next_waiting(const Job& job, const TaskTally& tally, std::size_t most);
/// Whether a task of it may be placed, as far as its records tell: it is not held, waits for no
/// other job, and has a task in the queue.
bool is_eligible(const Job& job, const TaskTally& tally);

} // namespace almanac
