// Reservations by hosts: so many hosts, all of each or some slots on each (spec/plus.md section 3).
//
// 1. A whole host is taken only where nothing at all is booked on it in the window, in any of its queue
//    instances, also in those that the request does not mean. All that it has is booked then.
// 2. What is asked for of consumables of the cell counts for each host once; of a host or a queue
//    instance it has to be there.
// 3. Hosts are looked at once, in the order of the candidates.
#pragma once

#include "core/matching/assignment.hpp"
#include "core/matching/node_order.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// The candidates host by host, in the order of their first ones.
std::vector<Node> nodes_of(const Instances& candidates);
/// The same candidates in the order of their hosts (node_order.hpp).
Instances in_node_order(const Snapshot& state, const Instances& candidates);

/// assign() for a demand for hosts: the first of them that can be had. Too few: with
/// not_enough_nodes, which says how many there are; or with what the site's own conditions have to do
/// with it.
std::optional<Assignment> assign_nodes(const Snapshot& state, const Supply& supply,
                                       const Demand& demand, Window window,
                                       const Instances& candidates, Obstacles& obstacles);

/// What grants on whole hosts take: all of these hosts.
Assignment whole_nodes(const Snapshot& state, const Supply& supply, const Demand& demand,
                       std::vector<Grant> grants);

/// All that is defined on the host of the instance, orphaned instances with it: where somebody may have
/// something of it.
std::vector<Booking> all_of_host(const Snapshot& state, const QueueInstance& instance);

/// All hosts that a reservation with this demand could have in the window, however many it asks for, in
/// their order.
std::vector<std::string> available_nodes(const Snapshot& state, const Demand& demand, Window window,
                                         Instant now);

} // namespace almanac
