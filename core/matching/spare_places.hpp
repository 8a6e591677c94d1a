// Hosts that stand ready for those that a reservation may lose (spec/beyond.md B1.10).
//
// 1. The i-th spare host can take what the i-th largest granted host has: so the loss of as many
//    granted hosts as there are spares is covered, whichever they are.
// 2. Each can take the first slot of a parallel job, with what is taken once for a job or a host.
// 3. What is counted in the whole cell or in a parallel environment is not booked for spares: they
//    are used instead of hosts that have it.
// 4. Where spare hosts lie already, rerunnable jobs are not in the way of one more. Elsewhere they are:
//    spare hosts are taken from what is free (B1.106).
// 5. Of a range of slots the most are taken that leave room for the spare hosts, too: where they fit
//    beside some number of slots, they fit beside each smaller one.
#pragma once

#include "core/matching/assignment.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace almanac {

/// Adds as many spare hosts to the assignment as can be booked, `demand.spares` at the most; says
/// how many. Nothing of the reservation itself is booked in `supply`. `preferred` come first, then
/// `candidates` in their order.
std::int64_t add_spares(const Snapshot& state, const Supply& supply, const Demand& demand,
                        Window window, const std::vector<const QueueInstance*>& candidates,
                        const std::vector<Grant>& preferred, Assignment& assignment);

/// The largest assignment of the demand's slot range that fits together with all its spare hosts, or
/// nothing and the obstacles: of the fewest slots, how many spare hosts there are.
std::optional<Assignment> assign_with_spares(const Snapshot& state, const Supply& supply,
                                             const Demand& demand, Window window,
                                             const std::vector<const QueueInstance*>& candidates,
                                             const std::vector<Grant>& preferred,
                                             Obstacles& obstacles);

} // namespace almanac
