// What is booked of which container.
#pragma once

#include "core/utilization/container.hpp"

#include <cstdint>

namespace almanac {

/// Whom a booking keeps out where spare hosts of reservations lie, or reservations that preempt. What
/// is booked for a spare host and what rerunnable jobs have there are never needed together, since
/// these give way: of both the larger counts, not the sum (spec/beyond.md B1.103, B1.105).
/// Jobs outside of reservations may be ended when a reservation that preempts begins: until then it
/// keeps out all but the jobs that start before it (spec/plus.md P5.9, P5.10).
enum class Claim : std::uint8_t {
  plain,      ///< everybody
  rerunnable, ///< all but spare hosts
  spare,      ///< all but rerunnable jobs
  preempting  ///< all but jobs that start before it and give way then
};

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
