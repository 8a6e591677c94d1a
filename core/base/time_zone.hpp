// Wall clocks: how far the local time is ahead of UTC, and since when.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace almanac {

/// From `from` on, local time is UTC plus `ahead`.
struct ZoneChange {
  Instant from;
  std::int64_t ahead = 0; ///< seconds
};
template <class V> void describe(V& visit, ZoneChange& change) {
  visit("from", change.from);
  visit("ahead", change.ahead);
}

/// Without changes it is UTC. Where it comes from is not decided here: a planner is told with its
/// start, and the journal keeps it.
struct TimeZone {
  std::vector<ZoneChange> changes; ///< ascending

  std::int64_t ahead(Instant at) const {
    if (changes.empty()) return 0;
    const auto after = next(at);
    return after == changes.begin() ? changes.front().ahead : std::prev(after)->ahead;
  }
  Instant next_change(Instant after) const {
    const auto it = next(after);
    return it == changes.end() ? Instant::never() : it->from;
  }

private:
  std::vector<ZoneChange>::const_iterator next(Instant after) const {
    return std::upper_bound(changes.begin(), changes.end(), after,
                            [](Instant at, const ZoneChange& change) { return at < change.from; });
  }
};

} // namespace almanac
