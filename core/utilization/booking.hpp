// What is booked of which container.
#pragma once

#include "core/utilization/container.hpp"

#include <cstdint>

namespace almanac {

/// An amount of a resource in a container.
struct Booking {
  Container container;
  Resource resource;
  std::int64_t amount = 0;
  bool operator==(const Booking&) const = default;
};
template <class V> void describe(V& visit, Booking& booking) {
  visit("container", booking.container);
  visit("resource", booking.resource);
  visit("amount", booking.amount);
}

} // namespace almanac
