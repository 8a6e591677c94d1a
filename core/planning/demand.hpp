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

struct ConsumableDemand {
  std::string resource;
  std::int64_t amount = 0; ///< per slot, or once
  bool per_job = false;
  bool asked = false; ///< false: taken by the complex's default
};

struct Demand {
  std::vector<FixedDemand> fixed;
  std::vector<ConsumableDemand> consumables; ///< slots first
  std::vector<std::string> queues;
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

/// Why an instance can't serve the demand whatever is booked; nothing if it can.
std::optional<std::string> static_obstacle(const State& state, const QueueInstance& instance,
                                           const Demand& demand);

/// The same for the instance's condition at this moment: unknown, disabled, in error, overloaded…
/// `load_counts` is false for jobs in reservations.
std::optional<std::string> present_obstacle(const State& state, const QueueInstance& instance,
                                            Instant now, bool load_counts);

/// Conditions that make a reservation W or E: "is unknown", "is disabled"…; nothing if it is well.
std::optional<std::string> reserved_instance_trouble(const State& state,
                                                     const std::string& instance);

/// The letters of an instance's state column, in the order a A C D d u E S s c o.
std::string instance_letters(const Configuration& configuration, const QueueInstance& instance,
                             const HostState& host, const InstanceState& state);

} // namespace almanac
