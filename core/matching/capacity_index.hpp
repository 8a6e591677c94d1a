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

struct Capacity {
  std::optional<std::int64_t> total; ///< nothing where the resource is not defined
  const Diagram* booked = nullptr;   ///< nullptr: nothing is, and nothing can be
  const Diagram* firm = nullptr;     ///< what reservations count on, where there is a ledger
  const Diagram* reserved = nullptr; ///< by reservations alone
};

class CapacityIndex {
public:
  /// Capacities that configuration gives.
  CapacityIndex(const Configuration& configuration, const Resource& resource, const Ledger& ledger,
                const Ledger* firm = nullptr, const Ledger* reserved = nullptr);
  /// Capacities that a reservation has booked.
  CapacityIndex(const Configuration& configuration, const std::vector<Booking>& reserved,
                const Resource& resource, const Ledger& ledger);

  const Capacity& of_cell() const { return global_; }
  const Capacity& of_host(const QueueInstance& instance) const {
    return hosts_[instance.host_index];
  }
  const Capacity& of_queue(const QueueInstance& instance) const {
    return queues_[static_cast<std::size_t>(&instance - first_)];
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
