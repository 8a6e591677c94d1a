// What becomes of series: their occurrences are granted, their window rolls (spec/beyond.md B5.402,
// B5.403).
#pragma once

#include "core/planning/series_plan.hpp"
#include "core/planning/state.hpp"

namespace almanac::rules {

/// An occurrence that fits becomes a reservation of its own. The site hears of it by that hook: a series
/// is confirmed once, a later occurrence is a change of it (spec/beyond.md B8.21, B8.23).
ReservationKey grant(State& state, const Series& series, const PlannedOccurrence& planned,
                     Instant now, std::optional<HookEvent> told = HookEvent::change);

/// What is kept of one that does not fit.
Conflict kept_conflict(const PlannedOccurrence& planned);

/// When the series is to be looked at after now: at the next midnight of its zone, or when one of
/// its conflicts would begin.
Instant due_after(const Series& series, Instant now);

/// Grants what came into the horizon of the series that are due, in order of submission; forgets
/// conflicts whose start has come, and series that have nothing left. True if any was due.
bool roll_series(State& state, Instant now);

/// Tries again what did not fit, in order of submission; true if anything was granted.
bool retry_conflicts(State& state, Instant now);

/// Occurrences that are not over, by their start: those that begin at `first` by the wall clock or
/// later.
std::vector<ReservationKey> occurrences_from(const State& state, ReservationNumber series,
                                             std::int64_t first);

/// "2-4,7"
std::string print_numbers(const std::vector<std::int64_t>& numbers);

/// A deleted occurrence is not granted again.
void remember_removed(State& state, const Reservation& occurrence);

} // namespace almanac::rules
