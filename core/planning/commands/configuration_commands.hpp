// qconf, and what belongs to the cell itself.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <string>

namespace almanac::rules {

Answer configure(State& state, const Caller& caller, const Configure& command, Instant now);

/// All of the changes, or none.
Answer configure_all(State& state, const Caller& caller, const ConfigureAll& command, Instant now);

/// Drops the orphaned queue instances that no reservation and no task holds any more.
void drop_orphans(State& state);

Answer add_host(State& state, const Caller& caller, const AddHost& command, Instant now);

Answer change_host_key(State& state, const Caller& caller, const ChangeHostKey& command,
                       Instant now);

/// The master runs on this host: it becomes an admin and submit host, and stays one.
void settle_on(State& state, const std::string& host);

} // namespace almanac::rules
