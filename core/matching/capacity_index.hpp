// One resource wherever it is offered: how much of it each container has, and what is booked of it,
// by the places of instances and hosts in the configuration. Nothing is looked up by name.
//
// It points into configuration and ledgers: it ends with the configuration it was made for.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/utilization/ledger.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

enum class Level : std::uint8_t { global, host, queue };

/// The container of a level that an instance belongs to.
struct Spot {
  Level level = Level::global;
  const QueueInstance* instance = nullptr; ///< not asked for by Level::global
  Container container() const;
};

struct Capacity {
  std::optional<std::int64_t> total; ///< nothing where the resource is not defined
  const Diagram* booked = nullptr;   ///< nullptr: nothing is, and nothing can be
  const Diagram* firm = nullptr;     ///< what reservations count on, where there is a ledger
  const Diagram* reserved = nullptr; ///< by reservations alone, where there is a ledger
};

class CapacityIndex {
public:
  /// Capacities that configuration gives.
  CapacityIndex(const Configuration& configuration, const Resource& resource, const Ledger& ledger,
                const Ledger* firm = nullptr, const Ledger* reserved = nullptr);
  /// Capacities that a reservation has booked.
  CapacityIndex(const Configuration& configuration, const std::vector<Booking>& reserved,
                const Resource& resource, const Ledger& ledger);

  const Capacity& at(Spot spot) const {
    switch (spot.level) {
    case Level::host: return hosts_[spot.instance->host_index];
    case Level::queue: return queues_[static_cast<std::size_t>(spot.instance - first_)];
    default: return global_;
    }
  }

private:
  const QueueInstance* first_;
  Capacity global_;
  std::vector<Capacity> hosts_, queues_;
};

/// The capacity that configuration gives a container of the cluster.
std::optional<std::int64_t> configured_capacity(const Configuration& configuration,
                                                const Container& container,
                                                const Resource& resource);

} // namespace almanac
