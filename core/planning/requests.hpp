// What may be asked for, and how much of it may be kept.
#pragma once

#include "core/planning/state.hpp"

#include <optional>
#include <string>

namespace almanac::rules {

/// Why no records of that owner are taken that take up `more` bytes, beside the `kept` bytes of
/// those that are there (qmaster_params MAX_USER_MB); managers may keep what they like.
std::optional<Statement> keep_obstacle(const State& state, const Caller& owner, std::int64_t kept,
                                       std::int64_t more);

/// Why the owner may ask for nothing in that project; "" is none.
std::optional<Statement> project_obstacle(const Configuration& configuration, const Caller& owner,
                                          const std::string& name);

/// What the owner of a job may not ask for, or the caller not for the owner, as far as it differs
/// from what the job asked for before.
std::optional<Statement> request_obstacle(const State& state, const Caller& caller,
                                          const Caller& owner, const JobRequest& request,
                                          const JobRequest& before);

} // namespace almanac::rules
