// What qstat shows of a job: a line for each running task, and one for all tasks that wait with the
// same letters (spec/cli.md section 5.1).
#pragma once

#include "core/job/job.hpp"
#include "core/job/task.hpp"
#include "core/job/task_usage.hpp"

#include <string>
#include <vector>

namespace almanac {

struct JobLine {
  std::string state;
  Instant time;              ///< of the start, or of the submission
  std::vector<Grant> grants; ///< of a running task, the master's instance first
  std::int64_t slots = 0;
  std::string tasks; ///< "" for a job that is no array
  bool running = false, suspended = false, held = false;
  std::vector<TaskUsage> usage = {}; ///< one, of a running task; none: nothing is known
};
template <class V> void describe(V& visit, JobLine& line) {
  visit("state", line.state);
  visit("time", line.time);
  visit("grants", line.grants);
  visit("slots", line.slots);
  visit("tasks", line.tasks);
  visit("running", line.running);
  visit("suspended", line.suspended);
  visit("held", line.held);
  visit("usage", line.usage);
}

/// Those of running tasks come first, in the order of `tasks`, with no usage. `all_grants`: not the
/// master's alone.
std::vector<JobLine> lines_of(const Job& job, const std::vector<TaskPtr>& tasks, bool all_grants);

} // namespace almanac
