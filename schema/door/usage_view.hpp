// What became of the slot-seconds of one reservation, as a door shows it.
#pragma once

#include "core/utilization/node_usage.hpp"

#include <string>
#include <vector>

namespace almanac::door {

struct ReservationUsageView {
  ReservationNumber number;
  Instant submitted;
  std::string owner, project, account; ///< who is charged
  ReservationUsage usage;
  bool given_up = false; ///< it was canceled or deleted before its end
  // Where nodes were asked for.
  std::int64_t reserved_for = 0; ///< seconds in which any of it was reserved
  std::vector<NodeUsage> nodes{};
};
template <class V> void describe(V& visit, ReservationUsageView& v) {
  visit("number", v.number);
  visit("submitted", v.submitted);
  visit("owner", v.owner);
  visit("project", v.project);
  visit("account", v.account);
  visit("usage", v.usage);
  visit("reserved_for", v.reserved_for);
  visit("nodes", v.nodes);
  visit("given_up", v.given_up);
}

} // namespace almanac::door
