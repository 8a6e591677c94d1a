#include "core/base/time_zone.hpp"

namespace almanac {

namespace {
constexpr std::int64_t farthest = 86400; // no zone is a day ahead or behind
}

WallClockMoment moment_of(const TimeZone& zone, std::int64_t local) {
  auto since = Instant{local - farthest};
  auto ahead = zone.ahead(since);
  for (;;) {
    const Instant at{local - ahead};
    const auto next = zone.next_change(since);
    if (at < next) return {at};
    const auto later = zone.ahead(next);
    if (Instant{local - later} < next) return {at, true};
    since = next, ahead = later;
  }
}

} // namespace almanac
