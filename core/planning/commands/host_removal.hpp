// almanac-admin remove-host: an exec host leaves the cell, with all that names it.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// The changes that take the host out of host groups, of the host lists of queues and their values for
/// it, of the submit and admin hosts (where it is not in `stays`), and its object with it. What
/// quota rules say of it stays.
std::vector<ConfigurationChange> removal_of_host(const Configuration& configuration,
                                                 const std::string& host, const std::string& stays);

/// Refused, with the list, while tasks run or reservations lie there.
Answer remove_host(State& state, const Caller& caller, const RemoveHost& command, Instant now);

} // namespace almanac::rules
