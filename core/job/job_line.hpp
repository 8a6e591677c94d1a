// What qstat shows of a job: a line for each running task, and one for all tasks that wait with the
// same letters, for the same reasons (spec/cli.md section 5.1).
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
  std::string pe{};                  ///< that was granted
  /// Why it waits whatever is free (spec/cli.md section 6): u, o and s for holds of a user, an
  /// operator and the system, j for predecessors, d for their tasks, a for a start time.
  std::string holds{};
  bool has_spare_slave = false; ///< its script takes none of its slots (job_is_first_task FALSE)
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
  visit("pe", line.pe);
  visit("holds", line.holds);
  visit("has_spare_slave", line.has_spare_slave);
}

/// Those of running tasks come first, in the order of `tasks`, with no usage. `all_grants`: not the
/// master's alone.
std::vector<JobLine> lines_of(const Job& job, const std::vector<TaskPtr>& tasks, bool all_grants);

} // namespace almanac
