// qrdel of whole series, and of an occurrence with all later ones (spec/beyond.md B5.406).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <set>
#include <string>
#include <vector>

namespace almanac::rules {

struct SeriesSelection {
  std::vector<ReservationNumber> numbers; ///< ascending
  std::set<std::string> named;            ///< targets that mean any of them
};
/// Ids, names and -u mean series as they mean reservations.
SeriesSelection select_series(const State& state, const Caller& caller,
                              const DeleteReservations& command);

/// Deletes them with all their occurrences, each series whole or not at all. Those whose occurrences
/// are not to be deleted once more.
std::set<ReservationNumber> delete_series(State& state, const Caller& caller,
                                          const DeleteReservations& command,
                                          const SeriesSelection& selection, Answer& answer,
                                          Instant now);

/// qrdel -rest: each target is an occurrence, and the series ends before it.
Answer delete_rest(State& state, const Caller& caller, const DeleteReservations& command,
                   Instant now);

} // namespace almanac::rules
