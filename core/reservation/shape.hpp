// What an advance reservation promises.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/time.hpp"
#include "core/job/grant.hpp"
#include "core/utilization/booking.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

/// What is promised: when, where, to whom.
struct Shape {
  Window window;
  std::vector<Grant> grants;
  std::vector<Booking> bookings;
  std::string pe;
  std::vector<std::string> users;
  std::string allocation_rule{}; ///< of the PE when it was granted; "": as it is today
  std::vector<Grant> spares{};   ///< hosts that stand ready for lost ones (spec/beyond.md B1.10)
  std::vector<Booking> spare_bookings{}; ///< what is booked on them

  std::int64_t slots() const; ///< on all instances together, without spares
  std::int64_t slots_with_spares() const;
  std::int64_t hosts_with_spares() const;
  std::vector<Grant> with_spares() const; ///< all that it has somewhere
  std::int64_t slots_on(const InstanceName& instance) const;
};
template <class V> void describe(V& visit, Shape& s) {
  visit("window", s.window);
  visit("grants", s.grants);
  visit("bookings", s.bookings);
  visit("pe", s.pe);
  visit("users", s.users);
  visit("allocation_rule", s.allocation_rule);
  visit("spares", s.spares);
  visit("spare_bookings", s.spare_bookings);
}

/// What so many slots in the window come to from `at` on, in slots times seconds (spec/beyond.md
/// B10.2).
std::int64_t slot_seconds(std::int64_t slots, const Window& window, Instant at);

} // namespace almanac
