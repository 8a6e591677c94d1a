// What hosts say of themselves.
#pragma once

#include "core/planning/fact.hpp"
#include "core/planning/state.hpp"

#include <optional>

namespace almanac::rules {

/// Why the agent does not get the name of its host; nothing: it has it now.
std::optional<Answer> host_registered(State& state, const HostRegistered& fact, Instant now);

void host_silent(State& state, const HostSilent& fact, Instant now);
void load_changed(State& state, const LoadChanged& fact);

} // namespace almanac::rules
