// What a change of a reservation would come to (qralter -w v, spec/beyond.md B12.4).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

Answer preview(const State& state, const Caller& caller, const AlterReservation& command,
               Instant now);

} // namespace almanac::rules
