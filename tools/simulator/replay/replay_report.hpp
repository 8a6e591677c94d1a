// What came out of a replay: a line for each job, a summary, and a picture.
#pragma once

#include "tools/simulator/replay/replay.hpp"

#include <iosfwd>

namespace almanac {

/// "job,submit,start" and a line for each job that started.
void write_starts(std::ostream& out, const std::vector<ReplayedJob>& jobs);

/// Mean wait, bounded slowdown (10 s), utilization, longest wait. Means leave out the first 1 % of
/// the jobs in the order of their ends.
void write_summary(std::ostream& out, const std::vector<ReplayedJob>& jobs,
                   const ReplaySettings& settings);

/// Utilization over time, and mean waits by size.
void write_picture(std::ostream& out, const std::vector<ReplayedJob>& jobs,
                   const ReplaySettings& settings);

} // namespace almanac
