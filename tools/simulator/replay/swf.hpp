// Job traces in the Standard Workload Format, plain or gzip.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

/// One job of a trace; times in seconds since its beginning.
struct TracedJob {
  std::int64_t number = 0;
  std::int64_t submit = 0;
  std::int64_t run_time = 0;
  std::int64_t size = 0;     ///< processors: field 5 where above 0, else field 8
  std::int64_t estimate = 0; ///< field 9, or the run time where that is not above 0
};

/// The jobs in the order of the file, less those that never ran, that have no size, or that were
/// submitted before the beginning. A broken line is an error that names it.
Result<std::vector<TracedJob>> read_trace(const std::string& path);

} // namespace almanac
