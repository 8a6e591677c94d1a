// The slots of queue instances that a reservation keeps booked.
#pragma once

#include "core/reservation/reservation.hpp"
#include "core/utilization/instance_name.hpp"

namespace almanac {

/// Hands them over as anybody else sees them, `take(instance, slots, window, claim)`, but for those
/// of spare hosts. What is handed over for the same moment and instance adds up.
template <class Take> void each_booked_slots(const Reservation& reservation, Take take) {
  each_booked(reservation, [&](const std::vector<Booking>& bookings, Window window, Claim claim) {
    if (claim == Claim::spare) return;
    for (const auto& booking : bookings)
      if (booking.resource == Resource("slots") && booking.container.kind == Container::Kind::queue)
        if (const auto instance = InstanceName::parse(booking.container.name))
          take(*instance, booking.amount, window, claim);
  });
}

} // namespace almanac
