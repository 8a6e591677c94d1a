// How long reservations had nodes, and how long their jobs were there (spec/plus.md P3.63, P3.64).
//
// A node is a host. It is reserved while any slot of it is, and used while any task is there.
#pragma once

#include "core/base/describe.hpp"
#include "core/utilization/usage.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace almanac {

struct NodeUsage {
  std::string host;
  std::int64_t reserved = 0, used = 0; ///< seconds
  bool operator==(const NodeUsage&) const = default;
};
template <class V> void describe(V& visit, NodeUsage& u) {
  visit("host", u.host);
  visit("reserved", u.reserved);
  visit("used", u.used);
}

struct ReservedNodes {
  std::int64_t reserved_for = 0; ///< seconds in which any node was reserved
  std::vector<NodeUsage> nodes;  ///< by name
};

/// Of each reservation what lies in the window.
std::map<ReservationId, ReservedNodes> node_usage_of(const std::vector<OccupiedSpan>& reserved,
                                                     const std::vector<OccupiedSpan>& used,
                                                     Window window);

} // namespace almanac
