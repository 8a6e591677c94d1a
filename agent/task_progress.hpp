// What has become of a task, as its shepherd wrote it down (shepherd/progress_file.hpp).
#pragma once

#include "core/job/core_binding.hpp"
#include "core/job/exit_record.hpp"
#include "core/job/task_usage.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct TaskProgress {
  bool noted = false; ///< there is something
  bool starting = false, started = false;
  std::vector<CoreName> cores; ///< that its processes are bound to
  std::optional<ExitRecord> record;

  /// The user's process has, or may have, begun.
  bool began() const { return record ? started : starting; }
};

/// What is cut off, or nobody has written, does not count.
TaskProgress parse_task_progress(const std::string& text);

/// Takes back what print_saved_line() made; nothing for another line.
std::optional<std::int64_t> parse_saved_line(const std::string& line);

/// Takes back what print_usage_line() made; nothing for another line.
std::optional<TaskUsage> parse_usage_line(const std::string& line);

} // namespace almanac
