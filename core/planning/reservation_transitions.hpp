// What becomes of reservations.
#pragma once

#include "core/planning/state.hpp"
#include "core/reservation/reservation_machine.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// The only way into another state: the one that the table of
/// core/reservation/reservation_machine.hpp names. Nothing else of the reservation changes. A
/// broken promise where the table names none.
void change_state(Reservation& reservation, ReservationEvent event);

/// What is proposed becomes what is reserved.
void commit(State& state, ReservationKey key, Instant now);

/// What is proposed is forgotten, and with it a reservation that was never granted. That it was
/// aborted is remembered.
void drop_proposal(State& state, ReservationKey key, Instant now);

/// Remembers for a while how the transaction of what is proposed ended.
void remember(State& state, const Reservation& reservation, bool committed, Instant now);
/// How the transaction of this name ended; none: nobody knows any more.
const SettledTransaction* remembered(const State& state, ReservationNumber number,
                                     const std::string& transaction, Instant now);

/// Gives up a reservation, and keeps its record: nothing starts in it any more, waiting jobs stay
/// as they are, active tasks end by themselves (spec/plus.md P3.39 to P3.42).
void cancel(State& state, ReservationKey key, const std::string& reason, Instant now);

/// Ends a reservation (`why`: its end has come, or it is removed): waiting jobs go at once, active
/// tasks are told to, and what runs on lost hosts at its end is written off.
void begin_removal(State& state, ReservationKey key, ReservationEvent why, bool force,
                   const std::string& reason, Instant now);

/// Of reservations of which nothing is left but the record, no more stay than the site keeps
/// (spec/plus.md P3.5).
void drop_past(State& state);

/// After a task or job of it has gone, or its host is lost: one that is over gives back what it
/// held, and one that ends goes with the last of them; one that is closed, with the last on a known
/// host.
void let_go(State& state, ReservationKey reservation_key);

/// One that waits begins.
void open(State& state, ReservationKey key);

/// A moment of the reservation has come: it opens, ends, or what was proposed lapses.
void reservation_due(State& state, ReservationKey key, Instant now);

/// Drops what was proposed for any reservation until now, in the order of time; before a master
/// that was away serves the first request (spec/plus.md section 4, rule 9).
void drop_lapsed_proposals(State& state, Instant now);

} // namespace almanac::rules
