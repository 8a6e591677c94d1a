// Instances that are disabled until a time (qmod -d … -until).
#pragma once

#include "core/planning/state.hpp"

#include <set>
#include <string>

namespace almanac::rules {

/// Enables those whose time has come; the hosts of these.
std::set<std::string> end_drains(State& state, Instant now);
/// When the next one ends; never if none does.
Instant next_drain_end(const State& state);

} // namespace almanac::rules
