// A job trace through the planner that the master uses: its inputs and nothing else.
//
// At one time all ends come first, then all submissions in the order of the file, then one pass.
#pragma once

#include "core/base/result.hpp"
#include "tools/simulator/replay/swf.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct ReplaySettings {
  std::int64_t nodes = 1;      ///< hosts
  std::int64_t slots = 1;      ///< of each
  std::string policy = "easy"; ///< fcfs, easy, easy-sjbf, cons or cons-scratch
  bool actual = false;         ///< run times are known exactly, instead of as the user asked
  std::int64_t reserved_percent = 0;
  std::int64_t lead = 3600; ///< seconds from asking for a reservation to its start
};

struct ReplayedJob {
  TracedJob traced;
  bool reserved = false; ///< it was to run in an advance reservation,
  bool refused = false;  ///< which was not granted
  std::int64_t start = -1;
  std::int64_t end = -1;
};

/// All jobs that fit into the cluster, in the order of the trace.
Result<std::vector<ReplayedJob>> replay_trace(const std::vector<TracedJob>& trace,
                                              const ReplaySettings& settings);

} // namespace almanac
