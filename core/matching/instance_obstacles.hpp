// Why a queue instance cannot serve a demand.
#pragma once

#include "core/matching/demand.hpp"
#include "core/matching/obstacles.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// How many soft requests the instance does not meet, consumables apart.
std::int64_t unmet(const Snapshot& state, const QueueInstance& instance, const SoftDemand& soft);

/// Whether the instance meets what the demand asks beside all else of that of its first slot, and of
/// those of the others. What load sensors say does not count.
bool may_be_master(const Snapshot& state, const QueueInstance& instance, const Demand& demand);
bool may_be_slave(const Snapshot& state, const QueueInstance& instance, const Demand& demand);

/// Whether a pair of lists lets everybody in, where an access list of a reservation's users ("@list")
/// has to be named itself (spec/reservations.md R9.4).
bool lets_in(const Configuration& configuration, const Demand& demand,
             const std::vector<std::string>& lists, const std::vector<std::string>& excluded);
/// Whether the lists of the instance, its host and the cell let everybody in.
bool lets_users_in(const Configuration& configuration, const QueueInstance& instance,
                   const Demand& demand);
/// The same of its project.
bool lets_project_in(const Configuration& configuration, const QueueInstance& instance,
                     const Demand& demand);

/// The complex of the first request for a value that the configuration and what the host says of
/// itself do not meet at the instance, or that has to be requested there and is not; "": all is met.
/// Amounts and load do not count.
std::string unmet_value(const Configuration& configuration, const HostFacts& facts,
                        const QueueInstance& instance, const Demand& demand);

/// The most that the instance, its host or the cell has of an amount, as it is defined or else reported;
/// nothing where nobody says it.
std::optional<std::int64_t> most_offered(const Snapshot& state, const QueueInstance& instance,
                                         const Complex& complex);

/// Whether an instance could serve the demand if nothing were booked; if not, with the obstacle.
bool could_serve(const Snapshot& state, const QueueInstance& instance, const Demand& demand,
                 Obstacles& obstacles);

/// The same for the instance's condition at this moment: unknown, disabled, in error, overloaded…
/// Load counts for jobs outside reservations only (spec/scheduling.md section 8.3).
bool serves_now(const Snapshot& state, const QueueInstance& instance, const Demand& demand,
                Instant now, bool load_counts, Obstacles& obstacles);
/// The same for a job inside a maintenance of its host: who repairs it disables it and tests it
/// (spec/beyond.md B6.52).
bool serves_in_maintenance(const Snapshot& state, const QueueInstance& instance, Instant now,
                           Obstacles& obstacles);

} // namespace almanac
