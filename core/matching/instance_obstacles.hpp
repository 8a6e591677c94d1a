// Why a queue instance cannot serve a demand.
#pragma once

#include "core/matching/demand.hpp"

#include <optional>
#include <string>

namespace almanac {

/// How many soft requests the instance does not meet, consumables apart.
std::int64_t unmet(const Snapshot& state, const QueueInstance& instance, const SoftDemand& soft);

/// Whether the lists of the instance, its host and the cell let everybody in.
bool lets_users_in(const Configuration& configuration, const QueueInstance& instance,
                   const Demand& demand);

/// Why an instance can't serve the demand whatever is booked; nothing if it can.
std::optional<std::string> static_obstacle(const Snapshot& state, const QueueInstance& instance,
                                           const Demand& demand);

/// The same for the instance's condition at this moment: unknown, disabled, in error, overloaded…
/// Load counts for jobs outside reservations only (spec/scheduling.md section 8.3).
std::optional<std::string> present_obstacle(const Snapshot& state, const QueueInstance& instance,
                                            const Demand& demand, Instant now, bool load_counts);

} // namespace almanac
