// qrdel.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <string>

namespace almanac::rules {

Answer delete_reservations(State& state, const Caller& caller, const DeleteReservations& command,
                           Instant now);

/// While a change is prepared only managers remove a reservation, and who has prepared a new one
/// (spec/plus.md section 4, rule 4).
bool may_interfere(const State& state, const Caller& caller, const Reservation& reservation);

/// The refusal while a change is prepared (spec/beyond.md B12.11).
Statement operation_pending(ReservationNumber number);

/// Of one that was removed: jobs that only wait in it for the next of its series leave it at once.
bool has_tasks_to_stop(const State& state, ReservationKey key);

/// After a reservation was removed: tasks of it may still have to stop.
Statement removal(const State& state, const Caller& caller, ReservationKey key,
                  ReservationNumber number);

} // namespace almanac::rules
