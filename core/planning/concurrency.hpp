// Who may ask that all tasks of an array start at the same time (-tcon y).
#pragma once

#include "core/answer/statement.hpp"
#include "core/configuration/configuration.hpp"
#include "core/job/job.hpp"
#include "core/planning/slice_limits.hpp"

#include <cstdint>
#include <optional>

namespace almanac::rules {

/// Tasks of such an array: a slice of a pass starts no more.
inline constexpr std::int64_t most_at_once = SliceLimits().starts;

/// Why nobody may ask for that with -tcon y; nothing without it.
std::optional<Statement> concurrency_obstacle(const Configuration& configuration,
                                              const JobRequest& request);
/// Why -tcon of the job may not be changed any more.
std::optional<Statement> settled_concurrency(const Job& job);

} // namespace almanac::rules
