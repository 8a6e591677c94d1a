// What a shepherd writes down: SPOOL/JOB.TASK.ATTEMPT/progress, to which it appends.
//
//   shepherd PID     it watches
//   bound CORES      its processes are bound to these, as print_cores() names them
//   starting         the user's process may have begun: it is not started again
//   started          it has begun
//   exit ... end     the record of the end; one that is cut off does not count
//
// One file, and none beside it: file systems pay for names that come and go. It is read by the
// other half (agent/task_progress.hpp).
#pragma once

#include "core/job/core_binding.hpp"
#include "core/job/exit_record.hpp"
#include "core/job/task_usage.hpp"

#include <string>
#include <vector>

namespace almanac {

inline const std::string starting_line = "starting\n", started_line = "started\n";

/// Appends; false, with errno, if not all of it could be written.
bool note(int progress, const std::string& text);
std::string print_end(const ExitRecord& record);
/// "" for none.
std::string print_bound_line(const std::vector<CoreName>& cores);

/// What a shepherd says of its processes: "usage" and the numbers of TaskUsage, in their order.
std::string print_usage_line(const TaskUsage& usage);

/// Likewise once the job's process was checkpointed: "saved" and its number.
std::string print_saved_line(std::int64_t process);

} // namespace almanac
