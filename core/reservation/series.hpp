// A standing reservation: what it asks for again and again, and what has become of it so far. Its
// granted occurrences are reservations of their own (spec/beyond.md section 5.4).
#pragma once

#include "core/base/caller.hpp"
#include "core/reservation/recurrence.hpp"
#include "core/reservation/reservation_request.hpp"

#include <string>
#include <vector>

namespace almanac {

/// An occurrence that did not fit when it was looked for: it has no id, and nothing is booked for it.
struct Conflict {
  std::int64_t occurrence = 0; ///< its start by the wall clock, in seconds since 1970
  Window window;
  std::string why;   ///< what was in the way
  bool told = false; ///< its owner was
};
template <class V> void describe(V& visit, Conflict& c) {
  visit("occurrence", c.occurrence);
  visit("window", c.window);
  visit("why", c.why);
  visit("told", c.told);
}

struct Series {
  ReservationNumber number;
  std::int64_t order = 0; ///< of submission: a key that nothing else has
  Caller owner;
  Instant submitted;
  ReservationRequest request; ///< of each occurrence, without a window
  Recurrence recurrence;
  std::int64_t decided = 0; ///< up to this start by the wall clock all are granted or not
  std::vector<std::int64_t>
      removed;                     ///< starts of those that were deleted and are to come, ascending
  std::vector<Conflict> conflicts; ///< that are to come, ascending
  Instant due; ///< when it is looked at again: its window rolls, or a conflict was not resolved
  std::vector<ReservationNumber>
      origins; ///< it was the rest of these once, the first one first: jobs that name them mean it, too
  std::vector<ReservationNumber> deleted_origins; ///< of these: no new jobs may name them
};
template <class V> void describe(V& visit, Series& s) {
  visit("number", s.number);
  visit("order", s.order);
  visit("owner", s.owner);
  visit("submitted", s.submitted);
  visit("request", s.request);
  visit("recurrence", s.recurrence);
  visit("decided", s.decided);
  visit("removed", s.removed);
  visit("conflicts", s.conflicts);
  visit("due", s.due);
  visit("origins", s.origins);
  visit("deleted_origins", s.deleted_origins);
}
inline ReservationNumber key_of(const Series& series) { return series.number; }

/// How far ahead occurrences are granted, and how many of a series at most.
inline constexpr Duration series_horizon{366 * 86400};
inline constexpr std::size_t most_occurrences = 400;
/// Of more, the first ones are forgotten.
inline constexpr std::size_t most_origins = 400;

} // namespace almanac
