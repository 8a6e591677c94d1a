// Records as earlier formats of the store have them. Upgrades read them (store/upgrade.hpp).
#pragma once

#include "core/job/job.hpp"
#include "core/job/task.hpp"

#include <vector>

namespace almanac::store {

/// A job as format 1 has it: with those of its tasks that have left the queue.
struct JobOfFormat1 : Job {
  std::vector<Task> tasks;
};
template <class V> void describe(V& visit, JobOfFormat1& j) {
  describe(visit, static_cast<Job&>(j));
  visit("tasks", j.tasks);
}

} // namespace almanac::store
