// What became of the slot-seconds of one reservation, as a door shows it.
#pragma once

#include "core/utilization/usage.hpp"

#include <string>

namespace almanac::door {

struct ReservationUsageView {
  ReservationNumber number;
  Instant submitted;
  std::string owner, project, account; ///< who is charged
  ReservationUsage usage;
};
template <class V> void describe(V& visit, ReservationUsageView& v) {
  visit("number", v.number);
  visit("submitted", v.submitted);
  visit("owner", v.owner);
  visit("project", v.project);
  visit("account", v.account);
  visit("usage", v.usage);
}

} // namespace almanac::door
