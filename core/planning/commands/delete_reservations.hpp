// qrdel.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <string>

namespace almanac::rules {

Answer delete_reservations(State& state, const Caller& caller, const DeleteReservations& command,
                           Instant now);

/// After a reservation was removed: tasks of it may still have to stop.
std::string removal_text(const State& state, const Caller& caller, ReservationKey key,
                         const std::string& id);

} // namespace almanac::rules
