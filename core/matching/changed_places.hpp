// Where a reservation lies after a change (spec/beyond.md B12.2): what it has stays where it can.
//
// 1. Its own bookings are out of the way while a place is looked for, in an assumption, not in the
//    books.
// 2. What tasks hold comes first, then the instances that were granted with up to their slots,
//    whatever is wrong with them, then others. Holds of waiting jobs are respected.
// 3. It may still have less on an instance than tasks hold there: who asks looks at that.
#pragma once

#include "core/matching/assumption.hpp"
#include "core/matching/reservation_places.hpp"

#include <vector>

namespace almanac {

/// What the reservation has is free for a search, with what it lends, but what its tasks hold on lost
/// hosts is not.
void set_free(Assumption& without, const Reservation& own);

/// The window is looked at from `now` on. `pinned`: what tasks of it hold, each instance once; what is
/// left behind stays where it is, beside that.
Found find_changed_place(const Snapshot& state, const Reservation& own, const Demand& demand,
                         Window window, Instant now, const std::vector<Grant>& pinned);

/// The same in an assumption that the reservation is dropped from already, where hosts are to be
/// closed: what tasks hold there stays where it is. Of those that are looked for instances only that
/// are healthy.
Found find_place_off_hosts(Assumption& without, const Reservation& own, const Demand& demand,
                           Window window, Instant now, const std::vector<Grant>& pinned);

} // namespace almanac
