// When a reservation comes again, as it is asked for and kept: what -repeat and the options beside it
// say, with the zone's clock changes as the client knows them (spec/beyond.md sections 5.1 and 5.2).
//
// A moment by the wall clock of the zone is told in seconds since 1970-01-01T00:00 of that clock.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/time_zone.hpp"
#include "core/reservation/repetition.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

struct Recurrence {
  std::string rule;       ///< as parse_repeat_rule() reads it; "": it does not come again
  std::int64_t first = 0; ///< the earliest day, and the time of day; by the wall clock
  std::int64_t ends_at =
      0; ///< seconds after midnight, by the wall clock, 86400: midnight; 0: it has a length
  std::int64_t until = 0;            ///< the last moment to begin, by the wall clock; 0: not given
  std::vector<std::int64_t> skipped; ///< local days since 1970
  std::string zone;                  ///< its name
  std::vector<ZoneChange> zone_changes; ///< of it, ascending; what is behind the last one stays
  bool waits = false;                   ///< -conflict wait: what does not fit now is tried again

  bool operator==(const Recurrence&) const;
};
template <class V> void describe(V& visit, Recurrence& r) {
  visit("rule", r.rule);
  visit("first", r.first);
  visit("ends_at", r.ends_at);
  visit("until", r.until);
  visit("skipped", r.skipped);
  visit("zone", r.zone);
  visit("zone_changes", r.zone_changes);
  visit("waits", r.waits);
}

/// Whether it can be worked with; it comes from a client or from the store.
Outcome valid(const Recurrence& recurrence);
/// The same of one that a change names parts of: the others are as if nothing was given.
Outcome valid_parts(const Recurrence& recurrence);

/// What a valid one means. `length` counts where it has no end by the wall clock.
Repetition repetition_of(const Recurrence& recurrence, Duration length);

/// "2027-01-18T09:00", with seconds where there are any.
std::string print_wall_clock(std::int64_t at);

/// The rule with what -until says beside it: "FREQ=DAILY;UNTIL=20270131T235959". Of two ends it has the
/// earlier one.
std::string print_rule(const Recurrence& recurrence);

/// An IANA name, as far as its form goes: "Europe/Berlin".
bool is_zone_name(const std::string& name);

} // namespace almanac
