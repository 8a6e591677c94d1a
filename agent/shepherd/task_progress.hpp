// What has become of a task: SPOOL/JOB.TASK.ATTEMPT/progress, which its shepherd appends to.
//
//   shepherd PID     it watches
//   starting         the user's process may have begun: it is not started again
//   started          it has begun
//   exit ... end     the record of the end; one that is cut off does not count
//
// One file, and none beside it: file systems pay for names that come and go.
#pragma once

#include "core/job/exit_record.hpp"

#include <optional>
#include <string>

namespace almanac {

struct TaskProgress {
  bool noted = false; ///< there is something
  bool starting = false, started = false;
  std::optional<ExitRecord> record;

  /// The user's process has, or may have, begun.
  bool began() const { return record ? started : starting; }
};

inline const std::string starting_line = "starting\n", started_line = "started\n";

std::string progress_file(const std::string& folder);
TaskProgress parse_task_progress(const std::string& text);
std::string print_end(const ExitRecord& record);

} // namespace almanac
