// What qrsub -repeat and the options beside it say, as they are written, and what they mean by the
// wall clock of a zone (spec/beyond.md section 5.1).
#pragma once

#include "core/reservation/recurrence.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// "" is what was not given.
struct SeriesOptions {
  std::string rule;       ///< -repeat
  std::string start, end; ///< -a and -e
  std::string until, zone, conflict;
  std::vector<std::string> skipped; ///< -skip

  /// The first option that is there and means nothing without -repeat; "": none is.
  std::string needs_rule() const;
};

/// hhmm
bool is_time_of_day(std::string_view text);

/// All but the zone must have been checked as they were read. `now` says which year is meant where
/// none is written.
Result<Recurrence> recurrence_of(const SeriesOptions& options, TimeZone zone, Instant now);
/// Of a change: what is not given is as if nothing was.
Result<Recurrence> changed_recurrence(const SeriesOptions& options, TimeZone zone, Instant now);

} // namespace almanac
