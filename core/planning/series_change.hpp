// A change of a series: what becomes of each of its occurrences, and what is in its way. Nothing is
// changed (spec/beyond.md B5.405).
#pragma once

#include "core/planning/reservation_change.hpp"
#include "core/planning/series_plan.hpp"
#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

struct SeriesChange {
  Series next;                             ///< as it will be, with its conflicts
  std::vector<ReservationKey> occurrences; ///< of it, by their start: those that change, or stay
  std::vector<ReservationChange> kept;     ///< their start stays
  std::vector<ReservationKey> vanishing;
  std::vector<PlannedOccurrence> added;
  std::vector<HeldJob> held;      ///< they name the series
  std::vector<Statement> remarks; ///< of those that come later, and of days to skip
};

struct FoundSeriesChange {
  std::optional<Answer> refusal;
  SeriesChange change;
};

/// Of the series as it is given, whose occurrences are those of `own`. While it looks, what these have
/// booked is free for others of the series; then all is booked again as it was.
FoundSeriesChange find_series_change(State& state, const Caller& caller, const Series& series,
                                     const std::vector<ReservationKey>& own,
                                     const AlterReservation& command, Instant now);

} // namespace almanac::rules
