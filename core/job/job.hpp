// A job as it is kept, without those of its tasks that have records of their own (task.hpp).
//
// 1. An array is one job; a task that never left the queue is only a number in `fresh`.
// 2. `key` is never reused; `number` is what users see.
#pragma once

#include "core/base/caller.hpp"
#include "core/base/ids.hpp"
#include "core/job/hold.hpp"
#include "core/base/shared.hpp"
#include "core/job/job_request.hpp"
#include "core/job/task_holds.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace almanac {

struct Job {
  JobKey key;
  JobNumber number;
  Caller owner;
  Instant submitted;
  Shared<JobRequest> request; ///< without the script's content
  std::string script_hash;
  ReservationKey reservation_key;
  std::vector<JobKey> waits_for; ///< its predecessors, until the last one is gone
  bool held_by_user = false, held_by_operator = false, held_by_system = false;
  std::vector<TaskRange> fresh; ///< tasks that never left the queue, ascending
  std::vector<Hold> holds;      ///< by start; one for each of the tasks that are next, at the most
  std::int64_t script_bytes = 0;
  std::vector<JobKey> waits_for_tasks{}; ///< arrays whose tasks those of its number wait for
  std::vector<TaskRange> blocked{};      ///< of `fresh`, those that wait so
  TaskHolds task_holds{};                ///< of an array

  /// All of it.
  bool is_held() const { return held_by_user || held_by_operator || held_by_system; }
  bool is_held(std::int64_t task) const { return is_held() || task_holds.contains(task); }
  std::int64_t fresh_tasks() const;
  std::int64_t blocked_tasks() const;
  bool is_blocked(std::int64_t task) const;
  /// All its tasks are to start in the same pass (-tcon y), and none has started yet. What comes back
  /// later goes on alone.
  bool starts_at_once() const { return request->concurrent && !fresh.empty(); }
  /// Takes a task out of `fresh`; false if it is not in there.
  bool take_fresh(std::int64_t task);
};
template <class V> void describe(V& visit, Job& j) {
  visit("key", j.key);
  visit("number", j.number);
  visit("owner", j.owner);
  visit("submitted", j.submitted);
  visit("request", j.request);
  visit("script_hash", j.script_hash);
  visit("reservation_key", j.reservation_key);
  visit("waits_for", j.waits_for);
  visit("held_by_user", j.held_by_user);
  visit("held_by_operator", j.held_by_operator);
  visit("held_by_system", j.held_by_system);
  visit("fresh", j.fresh);
  visit("holds", j.holds);
  visit("script_bytes", j.script_bytes);
  visit("waits_for_tasks", j.waits_for_tasks);
  visit("blocked", j.blocked);
  visit("task_holds", j.task_holds);
}
inline JobKey key_of(const Job& job) { return job.key; }
using JobPtr = std::shared_ptr<const Job>;

/// The tasks of the ranges but for those, which ascend.
std::vector<TaskRange> tasks_without(const std::vector<TaskRange>& ranges,
                                     const std::vector<std::int64_t>& gone);

} // namespace almanac
