// qrsub and qralter -a asap: the earliest start at which a reservation would be granted
// (spec/beyond.md section 4).
#pragma once

#include "core/matching/demand.hpp"
#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// The command with a start, not before one that it has; as it is where it does not ask for one. A
/// refusal if there is none, before the given end or within a year, with what is in the way of the
/// first one that there could be.
Result<Reserve, Answer> with_start(const Snapshot& state, const Caller& caller, Reserve command,
                                   Instant now);

/// The given times of a change of `own` with start and duration: the earliest start at which it
/// would have that demand if what it has is free, for the given duration or the one that it has,
/// before the given end or within a year. A refusal if there is none, or it has begun.
Result<ReservationRequest, Answer> with_start(const State& state, const Reservation& own,
                                              const Demand& demand, ReservationRequest times,
                                              Instant now);

/// As requested_window(), refused where the end has passed; of what is asked for as soon as
/// possible the last window, or the first one where no end is given: what would be later comes
/// behind all that was looked at.
Result<Window, Statement> asked_window(const ReservationRequest& request, Instant now);

/// When and where: who asked for "as soon as possible" does not know.
Statement start_of(const Shape& shape);

} // namespace almanac::rules
