// qralter (spec/beyond.md section 12).
#pragma once

#include "core/planning/reservation_change.hpp"
#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// Why so many jobs can't be written anew in one request.
std::optional<Answer> writing_obstacle(State& state, const std::vector<HeldJob>& jobs,
                                       ReservationNumber number);

/// All of the change, or nothing.
Answer alter_reservation(State& state, const Caller& caller, const AlterReservation& command,
                         Instant now);

} // namespace almanac::rules
