#include "core/reservation/reservation.hpp"

#include <algorithm>

namespace almanac {

std::int64_t Reservation::slots_on(const InstanceName& instance) const {
  std::int64_t slots = 0;
  for (const auto& grant : shape.grants)
    if (grant.instance == instance) slots += grant.slots;
  return slots;
}

char state_letter(const Reservation& reservation) {
  switch (reservation.phase) {
  case ReservationPhase::proposed:
  case ReservationPhase::waiting: return reservation.bad.empty() ? 'w' : 'W';
  case ReservationPhase::running: return reservation.bad.empty() ? 'r' : 'E';
  case ReservationPhase::deleted: return 'd';
  case ReservationPhase::closed: return 'x';
  }
  return '?';
}

Result<Window> requested_window(const ReservationRequest& request, Instant now) {
  const bool has_start = request.start.seconds != 0, has_end = request.end.seconds != 0;
  const Error missing{"missing value for \"end time or duration\" in advance reservation request"};
  if (!has_end && !request.has_duration) return missing;
  if (request.has_duration && (request.duration.seconds <= 0 || request.duration.is_endless()))
    return missing;
  Window window;
  if (has_start) window.start = request.start;
  else window.start = has_end && request.has_duration ? request.end - request.duration : now;
  window.end = has_end ? request.end : window.start + request.duration;
  if (has_start && has_end && request.has_duration && window.length() != request.duration)
    return Error{"difference between end and start time does not correspond to duration"};
  if (window.start > window.end) return Error{"start time is later than end time"};
  if (window.start == window.end || window.end.is_never()) return missing;
  if (window.start < now) return Error{"start time is in the past"};
  constexpr Duration longest{100LL * 365 * 86400};
  if (window.end > now + longest)
    return Error{"the advance reservation would end more than 100 years from now"};
  return window;
}

ReservationStep step(const Reservation& reservation, Instant now) {
  ReservationStep result;
  const auto due = [&](Instant at, bool& what) {
    if (at <= now) what = true;
    else result.look_again = std::min(result.look_again, at);
  };
  if (reservation.phase == ReservationPhase::waiting)
    due(reservation.shape.window.start, result.opens);
  if (reservation.is_granted() || reservation.phase == ReservationPhase::deleted)
    due(reservation.shape.window.end, result.closes);
  for (const auto& proposal : reservation.proposed)
    due(proposal.held_until, result.proposal_expires);
  return result;
}

} // namespace almanac
