#include "core/reservation/reservation.hpp"

#include "core/answer/statement.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace almanac {

std::int64_t Shape::slots() const { return slots_of(grants); }

std::vector<Grant> Shape::with_spares() const {
  auto all = grants;
  all.insert(all.end(), spares.begin(), spares.end());
  return all;
}

std::int64_t Shape::slots_with_spares() const { return slots() + slots_of(spares); }

std::int64_t Shape::hosts_with_spares() const {
  std::set<std::string_view> hosts;
  for (const auto* some : {&grants, &spares})
    for (const auto& grant : *some) hosts.insert(grant.instance.host);
  return static_cast<std::int64_t>(hosts.size());
}

std::int64_t slot_seconds(std::int64_t slots, const Window& window, Instant at) {
  return slots * std::max<std::int64_t>(0, (window.end - std::max(at, window.start)).seconds);
}

std::int64_t Shape::slots_on(const InstanceName& instance) const {
  std::int64_t slots = 0;
  for (const auto& grant : grants)
    if (grant.instance == instance) slots += grant.slots;
  return slots;
}

bool closes_host(const Reservation& reservation, const std::string& host) {
  const auto& hosts = reservation.request.hosts;
  return reservation.request.maintenance && std::binary_search(hosts.begin(), hosts.end(), host);
}

bool has_part_on(const Reservation& reservation, const InstanceName& instance) {
  return closes_host(reservation, instance.host) || reservation.shape.slots_on(instance) > 0;
}

char state_letter(const Reservation& reservation) {
  switch (reservation.shown_phase()) {
  case ReservationPhase::proposed: return 'h';
  case ReservationPhase::waiting: return reservation.bad.empty() ? 'w' : 'W';
  case ReservationPhase::running: return reservation.bad.empty() ? 'r' : 'E';
  case ReservationPhase::deleted:
  case ReservationPhase::canceled: return 'd';
  case ReservationPhase::closed:
  case ReservationPhase::expired: return 'x';
  }
  return '?';
}

namespace {

// What a change leaves open.
void complete(ReservationRequest& request, const Window& present) {
  const bool has_start = request.start.seconds != 0, has_end = request.end.seconds != 0;
  if (!has_end && !request.has_duration)
    request.duration = present.length(), request.has_duration = true;
  if (!has_start && !(has_end && request.has_duration)) request.start = present.start;
}

Result<Window, Statement> window_from(const ReservationRequest& request, Instant now,
                                      Instant earliest) {
  const bool has_start = request.start.seconds != 0, has_end = request.end.seconds != 0;
  const Statement missing{AnswerCode::end_or_duration_missing, {}};
  if (!has_end && !request.has_duration) return missing;
  const bool may_be_endless = request.maintenance; // it lasts until it is deleted
  if (request.has_duration &&
      (request.duration.seconds <= 0 || (request.duration.is_endless() && !may_be_endless)))
    return missing;
  Window window;
  if (has_start) window.start = request.start;
  else window.start = has_end && request.has_duration ? request.end - request.duration : now;
  window.end = has_end ? request.end : window.start + request.duration;
  if (has_start && has_end && request.has_duration && window.length() != request.duration)
    return Statement{AnswerCode::duration_differs, {}};
  if (window.start > window.end) return Statement{AnswerCode::start_after_end, {}};
  if (window.start == window.end || (window.end.is_never() && !may_be_endless)) return missing;
  if (window.start < earliest) return Statement{AnswerCode::start_in_the_past, {}};
  const auto last = now + furthest_end;
  if (window.start > last || (window.end > last && !window.end.is_never()))
    return Statement{AnswerCode::ends_too_late, {}};
  return window;
}

} // namespace

Result<Window, Statement> requested_window(ReservationRequest request, Instant now,
                                           const Reservation* of) {
  if (!of) return window_from(request, now, now);
  const auto& present = of->shape.window;
  complete(request, present);
  // A start that has passed may only stay.
  const bool stays = request.start == present.start;
  auto window = window_from(request, now, stays ? std::min(present.start, now) : now);
  if (!window) return window;
  if (window->end <= now) return Statement{AnswerCode::end_in_the_past, {}};
  if (of->phase == ReservationPhase::running && window->start != present.start)
    return Statement{AnswerCode::start_has_passed, {}};
  return window;
}

Window window_of(const LeftBehind& left, const Shape& shape) {
  return {shape.window.start, std::max(shape.window.start, left.until)};
}

Claim booked_claim(const Reservation& reservation) {
  const bool comes = reservation.phase == ReservationPhase::proposed ||
                     reservation.phase == ReservationPhase::waiting;
  return reservation.request.preempts && comes && reservation.others_end_since == Instant{}
             ? Claim::preempting
             : Claim::plain;
}

std::vector<BookedPart> parts_of(const Reservation& reservation) {
  const auto& shape = reservation.shape;
  std::vector<BookedPart> parts{{shape.bookings, shape.window},
                                {shape.spare_bookings, shape.window, Claim::spare}};
  for (const auto& left : reservation.left_behind)
    parts.push_back({left.bookings, window_of(left, shape)});
  return parts;
}

std::vector<const Shape*> shapes_of(const Reservation& reservation) {
  std::vector<const Shape*> shapes;
  const auto& present = reservation.shape;
  const bool counts = reservation.is_over() ? !present.bookings.empty()
                                            : reservation.phase != ReservationPhase::proposed;
  if (counts) shapes.push_back(&present);
  for (const auto& proposal : reservation.proposed)
    if (proposal.verb == ReservationVerb::change) shapes.push_back(&proposal.shape);
  return shapes;
}

Instant booked_until(const Reservation& reservation) {
  Instant end;
  if (reservation.phase == ReservationPhase::expired && reservation.shape.bookings.empty())
    return end;
  each_booked(reservation, [&](const std::vector<Booking>&, const Window& window, Claim) {
    end = std::max(end, window.end);
  });
  return end;
}

ReservationStep step(const Reservation& reservation, Instant now) {
  ReservationStep result;
  const auto due = [&](Instant at, bool& what) {
    if (at <= now) what = true;
    else result.look_again = std::min(result.look_again, at);
  };
  if (reservation.phase == ReservationPhase::waiting)
    due(reservation.others_end_since == Instant{}
            ? reservation.shape.window.start
            : reservation.others_end_since + longest_giving_way,
        result.opens);
  if (reservation.is_granted() || reservation.phase == ReservationPhase::deleted ||
      reservation.phase == ReservationPhase::canceled)
    due(reservation.shape.window.end, result.closes);
  if (!reservation.proposed.empty()) due(lapses_at(reservation), result.proposal_expires);
  if (reservation.phase == ReservationPhase::running && reservation.start_hook == StartHook::failed)
    due(reservation.hook_again, result.calls_hook);
  const auto& since = reservation.idle_since;
  if (reservation.is_granted() && since != Instant{} && !since.is_never())
    due(since + reservation.request.idle_for, result.is_idle);
  if (reservation.is_granted() && reservation.gives_up_at != Instant{})
    due(reservation.gives_up_at, result.gives_up);
  return result;
}

} // namespace almanac
