// Where a request fits in a window: the slots on each instance, and what that books.
//
// The same search places jobs in the cluster, jobs in a reservation (against its private
// supply) and reservations themselves. It puts together what is asked (consumptions), what each
// instance offers (offers), how the slots are spread over hosts (allocation) and what they take
// (bookings). Source: spec/scheduling.md sections 6 and 7.
#pragma once

#include "core/matching/demand.hpp"
#include "core/matching/obstacles.hpp"
#include "core/matching/supply.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

class QuotaLimits;

struct Assignment {
  std::string pe;
  std::vector<Grant> grants; ///< the master's instance first
  std::vector<Booking> bookings;
  std::vector<Grant> spares{}; ///< of a reservation: hosts that stand ready (spare_places.hpp)
  std::vector<Booking> spare_bookings{};
};

/// What grants of the demand take; all instances are in the configuration.
Assignment assignment_of(const Snapshot& state, const Supply& supply, const Demand& demand,
                         const std::string& pe, std::vector<Grant> grants);

/// The largest assignment of the demand's slot range that fits, or nothing and the obstacles.
/// `candidates` are instances without obstacles, in order of preference.
std::optional<Assignment> assign(const Snapshot& state, const Supply& supply, const Demand& demand,
                                 Window window, const std::vector<const QueueInstance*>& candidates,
                                 Obstacles& obstacles);

/// The same on one instance, for a job in no parallel environment. `quotas` are its limits, and those
/// that are the same everywhere leave it a slot.
std::optional<Assignment> assign_on(const Snapshot& state, const Supply& supply,
                                    const Demand& demand, Window window,
                                    const QueueInstance& instance, const QuotaLimits& quotas,
                                    Obstacles& obstacles);

} // namespace almanac
