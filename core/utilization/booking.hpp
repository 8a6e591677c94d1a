// What is booked of which container: a place with capacities. It is the cell ("global"), a host
// ("host:h"), a queue instance ("queue:q@h") or, for slots alone, a parallel environment
// ("pe:name").
#pragma once

#include "core/base/describe.hpp"

#include <cstdint>
#include <string>

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

} // namespace almanac
