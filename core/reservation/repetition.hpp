// What comes again, as days and times: the moments at which a rule lets something begin, and their
// windows in a zone (spec/beyond.md sections 5.2 and 5.3).
//
// The walk goes over days; it needs no table but the zone's, which the journal keeps.
#pragma once

#include "core/base/time_zone.hpp"
#include "core/reservation/repeat_rule.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace almanac {

/// The moments by the wall clock, ascending, from `first` on and before `end`, the first `most` of
/// them that are not before `from`. What the rule does not say comes from `first`, and COUNT counts
/// from there. UNTIL must be in wall clock time.
std::vector<std::chrono::local_seconds>
starts_of(const RepeatRule& rule, std::chrono::local_seconds first, std::chrono::local_seconds end,
          std::size_t most, std::chrono::local_seconds from = std::chrono::local_seconds::min());

struct Repetition {
  RepeatRule rule;
  std::chrono::local_seconds first; ///< the earliest day, and the time of day
  std::optional<Duration> length;   ///< exact; else
  std::chrono::seconds ends_at{
      0}; ///< by the wall clock, after midnight; not after the start: of the next day
  std::vector<std::chrono::local_days> skipped;
  std::optional<std::chrono::local_seconds> last; ///< none begins later, whatever the rule says
};

struct Occurrence {
  std::chrono::local_seconds at;
  Window window;
  bool moved = false; ///< clocks never show its start, and it begins when they have been set
};

/// `most` counts those that are skipped, too.
struct Occurrences {
  std::vector<Occurrence> list;                     ///< ascending by start
  std::vector<std::chrono::local_seconds> dropped;  ///< their end is not after their start
  std::vector<std::chrono::local_days> not_skipped; ///< days of which none was
  std::vector<std::chrono::local_seconds> skipped;
  std::optional<std::chrono::local_seconds> last; ///< of all that the rule names here
};
/// Those that begin after `after` by the wall clock.
Occurrences occurrences_of(const Repetition& repetition, const TimeZone& zone, Instant before,
                           std::size_t most,
                           std::chrono::local_seconds after = std::chrono::local_seconds::min());

/// Where one begins before the one in front of it is over: the index of the later one.
std::optional<std::size_t> first_overlap(const std::vector<Occurrence>& list);

} // namespace almanac
