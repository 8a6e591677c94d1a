// For whom a metascheduler asks or reserves, and how much that user may have
// (spec/metascheduler.md M2.8, M4.15).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <optional>

namespace almanac::rules {

/// The caller, or the user for whom a manager acts, or for whom the port for metaschedulers acts as
/// one of its subjects (GMETA_PORT, and the access list of the subject): who asks is the user then,
/// with the rights of that user. Both act for others only from an admin host. Anybody else is
/// refused, and so is a subject that names no user.
Result<Caller, Answer> acting_for(const Configuration& configuration, const Caller& caller,
                                  const OnBehalf& whom);
/// The same of a command; who gives one for nobody else is the caller.
Result<Caller, Answer> acting_for(const Configuration& configuration, const Command& command);
/// Why the caller cannot speak for this subject: it is not the port's user, or not on an admin
/// host, or the subject has no list.
std::optional<Answer> subject_obstacle(const Configuration& configuration, const Caller& caller,
                                       const std::string& subject);

/// Why the user cannot have one more reservation (GMETA_USER_MAX).
std::optional<Answer> number_allowance_obstacle(const State& state, const Caller& user);
/// Why the user cannot have the shape beside what is reserved ahead of now: hosts times hours.
std::optional<Answer> node_hours_obstacle(const State& state, const Caller& user, const Shape& next,
                                          Instant now);

} // namespace almanac::rules
