// The limit of resident memory of all processes of a job together (h_rss), kept by the kernel: the
// cgroup v2 leaf of the task has memory.max while the job's own process runs.
//
// Where there is no such group, or it has no memory controller, nothing happens here: whoever
// measures the task looks every second (core/execution/task_limits.hpp).
#pragma once

#include "core/execution/process_limits.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

class MemoryLimit {
public:
  explicit MemoryLimit(const std::vector<ProcessLimit>& limits);

  /// From now on the kernel ends all that is in the leaf, once together they need more.
  void begin(const std::string& leaf);
  /// That it has done so, for people; "": it has not.
  std::string exceeded() const;
  /// What follows the job has no such limit.
  void end();

private:
  std::int64_t bytes_ = -1; ///< -1: none
  std::string leaf_;        ///< "" while the kernel keeps none
};

} // namespace almanac
