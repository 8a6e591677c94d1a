// Held operations on hosts that leave the cluster: they are aborted with them (spec/plus.md section 4,
// rule 7f). What is granted there keeps the host instead.
#pragma once

#include "core/planning/state.hpp"
#include "core/configuration/change.hpp"

#include <set>
#include <string>
#include <vector>

namespace almanac::rules {

/// The exec hosts that these changes take away.
std::set<std::string> erased_hosts(const std::vector<ConfigurationChange>& changes);

/// Whether what is proposed for the reservation lies on one of them.
bool is_held_on(const Reservation& reservation, const std::set<std::string>& hosts);

/// The shapes that keep these hosts: all but such proposals.
std::vector<const Shape*> shapes_keeping(const Reservation& reservation,
                                         const std::set<std::string>& hosts);

/// The same changes, with the orphaned queue instances of these hosts, which only such proposals had.
std::vector<ConfigurationChange> with_their_orphans(const Configuration& configuration,
                                                    std::vector<ConfigurationChange> changes);

/// Aborts them; before the hosts go.
void abort_held_on(State& state, const std::set<std::string>& hosts, Instant now);

} // namespace almanac::rules
