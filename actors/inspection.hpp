// Records in readable form, for Inspect: text or JSON, from describe().
#pragma once

#include "core/base/describe.hpp"
#include "core/job/job.hpp"
#include "core/job/task.hpp"

#include <string>
#include <vector>

namespace almanac {

/// A job's record with those of its tasks.
struct JobWithTasks : Job {
  std::vector<Task> tasks;
};
template <class V> void describe(V& visit, JobWithTasks& j) {
  describe(visit, static_cast<Job&>(j));
  visit("tasks", j.tasks);
}

template <class T> std::string show(const T& record, bool json);

} // namespace almanac
