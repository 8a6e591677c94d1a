// What an owner's reservations take in some time: what plus_rsvutil() of a policy answers (spec/plus.md
// section 7, P7.55 to P7.59).
#pragma once

#include "core/base/time.hpp"

#include <cstdint>
#include <vector>

namespace almanac {

/// One that is held, confirmed, running or expired; or that was canceled.
struct UsedReservation {
  Window window;
  std::int64_t nodes = 0;
  Instant canceled_at; ///< it counts up to here only; 0: it was not canceled
};

struct OwnerUsage {
  std::int64_t count = 0; ///< of those that have a part in the window
  Duration total;         ///< of these parts
  std::int64_t node_seconds = 0;
  bool operator==(const OwnerUsage&) const = default;
};

/// Windows are clipped to `within`. An empty window contains nothing.
OwnerUsage usage_within(const std::vector<UsedReservation>& reservations, Window within);

} // namespace almanac
