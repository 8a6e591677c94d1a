// Limits of all processes of a task together: processor time, virtual and resident memory
// (spec/cli.md section 9.5). The kernel keeps those of each process (process_limits.hpp); whoever
// measures the task asks here what is to be done.
#pragma once

#include "core/execution/process_limits.hpp"
#include "core/job/task_usage.hpp"

#include <set>
#include <string>
#include <vector>

namespace almanac {

class TaskLimits {
public:
  explicit TaskLimits(const std::vector<ProcessLimit>& limits);

  /// Whether there is any, which has to be looked after.
  bool any() const { return !limits_.empty(); }
  /// Which hard limit is exceeded, for people: "the limit h_vmem of 1073741824 bytes is exceeded:
  /// 1100000000 bytes"; "": none.
  std::string exceeded(const TaskUsage& usage) const;
  /// Whether a soft limit is exceeded for the first time.
  bool take_soft(const TaskUsage& usage);

private:
  std::vector<ProcessLimit> limits_;
  std::set<std::string> told_; ///< kinds
};

} // namespace almanac
