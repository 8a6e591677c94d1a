// qalter -l of a job that runs (spec/cli.md section 4: only if no consumable is touched). What is booked
// for it stays as it is, and so do its limits: its processes have them already.
#pragma once

#include "core/planning/state.hpp"

#include <optional>

namespace almanac::rules {

/// Why the job's requests can't be `wanted` while it runs: the first one that would have to change where
/// it runs. Nothing where they can.
std::optional<Statement> running_requests_obstacle(const Configuration& configuration,
                                                   const Job& job,
                                                   const std::vector<Attribute>& wanted);

} // namespace almanac::rules
