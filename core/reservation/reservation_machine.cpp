#include "core/reservation/reservation_machine.hpp"

#include <algorithm>
#include <array>

namespace almanac {

namespace {

struct ReservationChange {
  ReservationPhase from;
  ReservationEvent event;
  std::optional<ReservationPhase> to; ///< nothing: the record is gone
};

const ReservationChange* change_of(ReservationPhase phase, ReservationEvent event) {
  using enum ReservationPhase;
  using enum ReservationEvent;
  constexpr std::nullopt_t gone = std::nullopt;
  static constexpr std::array<ReservationChange, 20> changes{{
      {proposed, committed, waiting},
      {waiting, begun, running},
      {running, moved, waiting},
      {waiting, ended, closed}, // the master was away
      {running, ended, closed},
      {canceled, ended, expired}, // its jobs are left alone (spec/plus.md P3.41, P3.42)
      {deleted, ended, closed},
      {waiting, withdrawn, canceled},
      {running, withdrawn, canceled},
      {proposed, removed, deleted},
      {waiting, removed, deleted},
      {running, removed, deleted},
      {canceled, removed, deleted},
      {deleted, removed, deleted}, // again, by force
      {closed, removed, deleted},
      {expired, removed, deleted}, // a record can be destroyed at any time
      {closed, emptied, expired},
      {deleted, emptied, gone},
      {proposed, dropped, gone},
      {expired, passed, gone},
  }};
  const auto* change = std::find_if(changes.begin(), changes.end(), [&](const auto& one) {
    return one.from == phase && one.event == event;
  });
  return change == changes.end() ? nullptr : change;
}

} // namespace

std::optional<ReservationPhase> next(ReservationPhase phase, ReservationEvent event) {
  const auto* change = change_of(phase, event);
  return change ? change->to : std::nullopt;
}

bool ends(ReservationPhase phase, ReservationEvent event) {
  const auto* change = change_of(phase, event);
  return change && !change->to;
}

} // namespace almanac
