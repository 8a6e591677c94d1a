// What the processes below a shepherd use, all together (core/job/task_usage.hpp).
//
// 1. The kernel adds what a process used to its parent's, once that has waited for it. So what the
//    living and their dead children used, and what our own dead children used, is all that there is.
// 2. Memory is what is there when somebody looks.
#pragma once

#include "core/job/task_usage.hpp"

#include <map>
#include <string>
#include <sys/types.h>

namespace almanac {

class UsageMeter {
public:
  /// Looks at all processes that descend from this one. `cgroup` is theirs, "" where there is none: it
  /// knows the time of those, too, that nobody waited for.
  const TaskUsage& measure(const std::string& cgroup);
  /// A child of this process has ended; it has not been waited for yet.
  void take_end(pid_t child);
  const TaskUsage& usage() const { return usage_; }

private:
  /// One process as it was seen the last time; ticks of the kernel's clock.
  struct Seen {
    std::int64_t born = 0, cpu_ticks = 0, wait_ticks = 0, vmem_bytes = 0;
  };
  struct Facts;
  void take(pid_t pid, const Facts& facts);

  TaskUsage usage_;
  std::map<pid_t, Seen> seen_;
  std::int64_t io_of_ended_ = 0; ///< children of this process
  std::int64_t memory_ = 0;      ///< KiB of virtual memory times ticks
};

} // namespace almanac
