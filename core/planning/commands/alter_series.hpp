// qralter of a series, or of an occurrence with all later ones (spec/beyond.md B5.405).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// All of the change, or nothing.
Answer alter_series(State& state, const Caller& caller, const AlterReservation& command,
                    Instant now);

} // namespace almanac::rules
