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

/// A moment by the wall clock.
struct WallClockMoment {
  Instant at;
  bool moved = false; ///< the wall clock never shows it, since it is set ahead then
};
/// When clocks show `local`, given as seconds since 1970-01-01T00:00 by the wall clock: the first of
/// two such moments; one that clocks leave out is moved by as much as they are set ahead (RFC 5545
/// section 3.3.5).
WallClockMoment moment_of(const TimeZone& zone, std::int64_t local);

} // namespace almanac
