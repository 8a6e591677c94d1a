// A job with all its tasks: as it is shown, as it is sent to its hosts, and as a store has it.
#pragma once

#include "core/job/job.hpp"
#include "core/job/task.hpp"

#include <cstdint>
#include <vector>

namespace almanac {

struct WholeJob : Job {
  std::vector<Task> tasks; ///< those that have left the queue and are not finished, by number

  const Task* find(std::int64_t task) const;
  std::int64_t active_tasks() const;
  std::int64_t waiting_tasks() const;
};
template <class V> void describe(V& visit, WholeJob& j) {
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
  visit("tasks", j.tasks);
  visit("holds", j.holds);
  visit("script_bytes", j.script_bytes);
}

} // namespace almanac
