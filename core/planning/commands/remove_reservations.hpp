// plus_cancel and plus_destroy, at once or as the commit of what was held (spec/plus.md P3.39 to P3.46).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// Without -T. Of the targets each is answered; of owners all reservations are meant that this can be
/// done to.
Answer remove_reservations(State& state, const Caller& caller, const RemoveReservations& command,
                           Instant now);

/// Cancels or destroys a reservation, whatever is proposed for it.
Answer give_up(State& state, const Caller& caller, ReservationKey key, ReservationVerb verb,
               Instant now);

} // namespace almanac::rules
