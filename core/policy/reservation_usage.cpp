#include "core/policy/reservation_usage.hpp"

#include "core/base/wide.hpp"

#include <algorithm>

namespace almanac {

OwnerUsage usage_within(const std::vector<UsedReservation>& reservations, Window within) {
  OwnerUsage usage;
  for (const auto& reservation : reservations) {
    const auto& [window, nodes, canceled_at] = reservation;
    const bool is_canceled = canceled_at > Instant();
    const auto end = is_canceled ? std::min(window.end, canceled_at) : window.end;
    const Window part{std::max(window.start, within.start), std::min(end, within.end)};
    if (part.end <= part.start) continue;
    const auto length = part.length();
    ++usage.count;
    usage.total = usage.total + length;
    usage.node_seconds = clamped(Wide{usage.node_seconds} + Wide{nodes} * length.seconds);
  }
  return usage;
}

} // namespace almanac
