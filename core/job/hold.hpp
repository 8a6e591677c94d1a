// What is planned for a job that waits.
#pragma once

#include "core/job/grant.hpp"
#include "core/utilization/booking.hpp"
#include "core/base/time.hpp"

#include <string>
#include <vector>

namespace almanac {

/// What is held for a task of a waiting job (-R y): kept between passes (ruling on holds in
/// spec/rulings.md). It moves earlier freely, later only for the cause that it then names.
struct Hold {
  Window window;
  std::string pe;
  std::vector<Grant> grants;
  std::vector<Booking> bookings;
  std::string cause;       ///< why it was moved later the last time; "": never
  bool rerunnable = false; ///< as a task of it would be (task.hpp)
  bool operator==(const Hold&) const = default;
};
template <class V> void describe(V& visit, Hold& hold) {
  visit("window", hold.window);
  visit("pe", hold.pe);
  visit("grants", hold.grants);
  visit("bookings", hold.bookings);
  visit("cause", hold.cause);
  visit("rerunnable", hold.rerunnable);
}

} // namespace almanac
