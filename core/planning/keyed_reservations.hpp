// Reservations that have a key (spec/metascheduler.md section 6), and what of them is not done without it.
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// A secret was drawn for it, or who claims it has named a public key.
bool has_key(const Reservation& reservation);
/// One with a key that is still there to be used or changed: a record of what is over is not.
bool is_keyed(const Reservation& reservation);

/// Whether it is used with its key only (GMETA_REQUIRE_KEY). 0: it is not.
bool needs_its_key(const Snapshot& state, ReservationNumber number);

} // namespace almanac::rules
