// What becomes of reservations.
#pragma once

#include "core/planning/state.hpp"

#include <string>

namespace almanac::rules {

/// What is proposed becomes what is reserved.
void commit(State& state, ReservationKey key);

/// What is proposed is forgotten, and with it a reservation that was never granted.
void drop_proposal(State& state, ReservationKey key);

/// Ends a reservation: waiting jobs go at once, active tasks are told to, and what runs on lost hosts
/// is written off.
void begin_removal(State& state, ReservationKey key, ReservationPhase phase, bool force,
                   const std::string& reason, Instant now);

/// Removes an ending reservation when its last task has gone.
void remove_if_done(State& state, ReservationKey reservation_key);

/// A moment of the reservation has come: it opens, ends, or what was proposed lapses.
void reservation_due(State& state, ReservationKey key, Instant now);

} // namespace almanac::rules
