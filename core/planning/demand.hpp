// What a job or a reservation asks of a place, with names resolved against the complexes.
#pragma once

#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac {

struct FixedDemand {
  const Complex* complex;
  std::string value;
};

/// How often an amount is taken. `alone` and `beside` are for exclusive resources: who asks for one
/// shares the container with nobody, who does not can't be where somebody is alone.
enum class Taking : std::uint8_t { per_slot, per_job, per_host, alone, beside };

struct ConsumableDemand {
  std::string resource;
  std::int64_t amount = 0;
  Taking taking = Taking::per_slot;
  bool asked = false; ///< false: taken by the complex's default
};

/// What is booked for those who are beside others, for each exclusive resource. Nobody asked for it
/// and nobody is told of it.
inline std::string beside(const std::string& resource) { return resource + "/shared"; }
inline bool is_beside(const std::string& resource) { return resource.ends_with("/shared"); }

/// What is preferred and may be missing (-soft).
struct SoftDemand {
  std::vector<FixedDemand> fixed;
  std::vector<ConsumableDemand> consumables; ///< looked for, never booked
  std::vector<std::string> queues;
  bool is_empty() const { return fixed.empty() && consumables.empty() && queues.empty(); }
};

struct Demand {
  std::vector<FixedDemand> fixed;
  std::vector<ConsumableDemand> consumables; ///< slots first
  std::vector<FixedDemand> load; ///< what hosts report all the time: counts for now only
  std::vector<std::string> queues;
  std::vector<std::string> master_queues; ///< where its first slot has to be; empty: anywhere
  SoftDemand soft;
  std::string project;
  bool interactive = false; ///< looks for interactive queues, not for batch queues
  bool reserves = false;    ///< for a reservation, whose users may be several
  std::string pe;
  std::vector<SlotRange> slots;
  /// Everybody who must be let in: users with their group, or "@list" as user.
  std::vector<std::pair<std::string, std::string>> users;
  std::string description; ///< "-l a=1,b=2" for reasons
};

/// Looks up the requests; the error names what is unknown, not requestable or malformed.
/// `kind` is what messages call the request: "job" or "advance_reservation".
Result<Demand> resolve_demand(const Configuration& configuration,
                              const std::vector<Attribute>& resources,
                              const std::vector<std::string>& queues, const std::string& pe,
                              const std::vector<SlotRange>& slots, const std::string& kind);

/// The same for a job of this owner.
Result<Demand> demand_of_job(const Configuration& configuration, const JobRequest& request,
                             const Caller& owner);

/// Whether one of the queues that are asked for ("all.q", "*@h1", "all.q@@group") is this instance.
bool is_among(const Configuration& configuration, const std::vector<std::string>& queues,
              const QueueInstance& instance);

/// How many soft requests the instance does not meet, consumables apart.
std::int64_t unmet(const State& state, const QueueInstance& instance, const SoftDemand& soft);

/// Whether the lists of the instance, its host and the cell let everybody in.
bool lets_users_in(const Configuration& configuration, const QueueInstance& instance,
                   const Demand& demand);

/// Why an instance can't serve the demand whatever is booked; nothing if it can.
std::optional<std::string> static_obstacle(const State& state, const QueueInstance& instance,
                                           const Demand& demand);

/// The same for the instance's condition at this moment: unknown, disabled, in error, overloaded…
/// Load counts for jobs outside reservations only (spec/scheduling.md section 8.3).
std::optional<std::string> present_obstacle(const State& state, const QueueInstance& instance,
                                            const Demand& demand, Instant now, bool load_counts);

/// Conditions that make a reservation W or E: "is unknown", "is disabled"…; nothing if it is well.
std::optional<std::string> reserved_instance_trouble(const State& state,
                                                     const std::string& instance);

/// The letters of an instance's state column, in the order a A C D d u E S s c o.
std::string instance_letters(const Configuration& configuration, const QueueInstance& instance,
                             const HostState& host, const InstanceState& state);

} // namespace almanac
