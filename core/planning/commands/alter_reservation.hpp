// qralter (spec/beyond.md section 12).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// All of the change, or nothing.
Answer alter_reservation(State& state, const Caller& caller, const AlterReservation& command,
                         Instant now);

} // namespace almanac::rules
