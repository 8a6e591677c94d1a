// Which event takes a reservation from which state to which: one table, drawn in docs/pictures.md.
//
// Rules say what has happened; core/planning/reservation_transitions alone asks the table.
#pragma once

#include "core/base/describe.hpp"
#include "core/reservation/reservation.hpp"

#include <cstdint>
#include <optional>

namespace almanac {

enum class ReservationEvent : std::uint8_t {
  committed, ///< what was proposed first is granted; qrsub does so in one step
  dropped,   ///< what was proposed first is aborted, or its time is over
  begun,     ///< its start has come
  moved,     ///< it has begun, and a committed change gives it a later start
  ended,     ///< its end has come
  withdrawn, ///< a committed cancellation: its tasks end by themselves
  removed,   ///< qrdel, or a committed destruction: its tasks are ended
  emptied,   ///< it ends, and the last of its jobs is gone or, at its end, out of reach
  passed     ///< more have expired after it than are kept
};
template <> inline constexpr ReservationEvent last_of<ReservationEvent> = ReservationEvent::passed;

/// The state after the event; nothing: the event does not come in this state, or ends the record.
std::optional<ReservationPhase> next(ReservationPhase phase, ReservationEvent event);

/// Whether the record is gone after the event.
bool ends(ReservationPhase phase, ReservationEvent event);

} // namespace almanac
