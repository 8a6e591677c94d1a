// All diagrams of a cluster, or of one reservation: what is booked where and when.
//
// A container is a place with capacities: the cell ("global"), a host ("host:h"), a queue
// instance ("queue:q@h") or, for slots alone, a parallel environment ("pe:name").
#pragma once

#include "core/base/describe.hpp"
#include "core/base/lookup.hpp"
#include "core/utilization/diagram.hpp"

#include <map>
#include <string>
#include <vector>

namespace almanac {

inline const std::string global_container = "global";
inline std::string host_container(const std::string& host) { return "host:" + host; }
inline std::string queue_container(const std::string& instance) { return "queue:" + instance; }
inline std::string pe_container(const std::string& pe) { return "pe:" + pe; }

/// An amount of a resource in a container.
struct Booking {
  std::string container;
  std::string resource;
  std::int64_t amount = 0;
  bool operator==(const Booking&) const = default;
};
template <class V> void describe(V& visit, Booking& booking) {
  visit("container", booking.container);
  visit("resource", booking.resource);
  visit("amount", booking.amount);
}

class Ledger {
public:
  void book(const std::vector<Booking>& bookings, Window window);
  /// Takes back what book() was given, with the same values.
  void release(const std::vector<Booking>& bookings, Window window);

  std::int64_t used(const std::string& container, const std::string& resource, Window window) const;
  /// The diagram itself: it stays where it is as long as the ledger. An empty one is as good as
  /// none.
  const Diagram& at(const std::string& container, const std::string& resource) const {
    return diagrams_.emplace(container)[resource];
  }
  /// Nullptr where nothing was ever booked.
  const Diagram* find(const std::string& container, const std::string& resource) const;

private:
  mutable Lookup<std::map<std::string, Diagram>> diagrams_; ///< by container, then by resource
};

} // namespace almanac
