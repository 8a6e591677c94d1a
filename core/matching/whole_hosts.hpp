// What jobs inside a maintenance may take: whole hosts, less what others still have running there
// (spec/beyond.md B6.51, B6.53).
//
// Nothing of it is booked in the cluster: nobody else starts there meanwhile. Amounts of the whole cell
// are not part of it.
#pragma once

#include "core/matching/snapshot.hpp"

namespace almanac {

/// The shape that the maintenance would have if it had booked its hosts.
Shape whole_hosts(const Snapshot& state, const Reservation& maintenance);
/// What is left of it at `now`, own jobs apart.
Shape left_of_hosts(const Snapshot& state, const Reservation& maintenance, Instant now);

} // namespace almanac
