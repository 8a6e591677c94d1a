// Whole hosts: what there is of them to be booked, by a reservation of whole nodes (spec/plus.md P3.20);
// and what jobs inside a maintenance may take, which is that less what others still have running there
// (spec/beyond.md B6.51, B6.53).
//
// Nothing of a maintenance is booked in the cluster: nobody else starts there meanwhile. Amounts of the
// whole cell are not part of it.
#pragma once

#include "core/matching/snapshot.hpp"

namespace almanac {

/// All slots and amounts that are defined at the instance, or at the host, added to the bookings.
void book_whole(const Configuration& configuration, const QueueInstance& instance,
                std::vector<Booking>& bookings);
void book_whole(const Configuration& configuration, const std::string& host,
                std::vector<Booking>& bookings);

/// The shape that the maintenance would have if it had booked its hosts.
Shape whole_hosts(const Snapshot& state, const Reservation& maintenance);
/// What is left of it at `now`, own jobs apart.
Shape left_of_hosts(const Snapshot& state, const Reservation& maintenance, Instant now);

} // namespace almanac
