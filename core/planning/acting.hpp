// For whom a metascheduler asks or reserves, and how much that user may have
// (spec/metascheduler.md M2.8, M4.15).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/start_search.hpp"

#include <optional>

namespace almanac::rules {

/// The caller, or the user on whose behalf a manager acts: who asks is the user then, with the rights of
/// that user. Others are refused.
Result<Caller, Answer> acting_for(const Configuration& configuration, const Caller& caller,
                                  const OnBehalf& whom);

/// Why the user cannot have one more reservation (GMETA_USER_MAX).
std::optional<Answer> number_allowance_obstacle(const State& state, const Caller& user);
/// Why the user cannot have the shape beside what is reserved ahead of now: hosts times hours.
std::optional<Answer> node_hours_obstacle(const State& state, const Caller& user, const Shape& next,
                                          Instant now);

} // namespace almanac::rules
