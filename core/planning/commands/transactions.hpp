// Reserving in two phases: prepare, then commit or abort.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

Answer prepare(State& state, const Caller& caller, const PrepareReservation& command, Instant now);
Answer settle(State& state, const Caller& caller, const SettleReservation& command, Instant now);

} // namespace almanac::rules
