#include "core/planning/reservation_transitions.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/transitions.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

#include <map>

namespace almanac::rules {

namespace {

// What a change of it finds another place by; who owns it and what it is called stays.
void take_over(ReservationRequest& request, const ReservationRequest& change) {
  if (!change.has_duration && change.end.seconds == 0) return; // prepared by an older version
  request.start = change.start, request.end = change.end;
  request.duration = change.duration, request.has_duration = change.has_duration;
  request.resources = change.resources, request.queues = change.queues;
  request.pe = change.pe, request.slots = change.slots, request.users = change.users;
  request.groups = change.groups;
}

} // namespace

namespace {

void erase(State& state, ReservationKey key) {
  state.want_repair(); // others may need what it held
  state.erase<Reservation>(key);
}

} // namespace

void commit(State& state, ReservationKey key) {
  state.edit<Reservation>(key, [&](Reservation& reservation) {
    reservation.shape = reservation.proposed.front().shape;
    take_over(reservation.request, reservation.proposed.front().request);
    reservation.proposed.clear();
    reservation.original.clear(), reservation.note.clear();
    if (reservation.phase == ReservationPhase::proposed)
      reservation.phase = ReservationPhase::waiting;
    reservation.bad = health(state, reservation);
  });
}

void drop_proposal(State& state, ReservationKey key) {
  if (state.reservation(key)->phase == ReservationPhase::proposed) return erase(state, key);
  state.edit<Reservation>(key, [](Reservation& reservation) { reservation.proposed.clear(); });
}

namespace {

// What tasks in it still hold: of a reservation that ends, the rest is free (ruling).
std::vector<Booking> held_by_tasks(const State& state, ReservationKey key) {
  std::map<std::pair<Container, Resource>, std::int64_t> sums;
  for (const auto job_key : state.occupancy().jobs_of.of(key))
    for (const auto& task : state.tasks_of(job_key))
      for (const auto& booking : task.bookings)
        sums[{booking.container, booking.resource}] += booking.amount;
  std::vector<Booking> held;
  for (const auto& [place, amount] : sums) held.push_back({place.first, place.second, amount});
  return held;
}

} // namespace

void remove_if_done(State& state, ReservationKey key) {
  const auto* reservation = state.reservation(key);
  if (!reservation || !reservation->is_ending()) return;
  if (!state.occupancy().jobs_of.any(key)) return erase(state, key);
  auto held = held_by_tasks(state, key);
  if (held == reservation->shape.bookings) return;
  state.edit<Reservation>(key,
                          [&](Reservation& ending) { ending.shape.bookings = std::move(held); });
}

void begin_removal(State& state, ReservationKey key, ReservationPhase phase, bool force,
                   const std::string& reason, Instant now) {
  if (const auto& reservation = *state.reservation(key); reservation.is_granted())
    mail(state,
         phase == ReservationPhase::closed ? Occasion::reservation_finished
                                           : Occasion::reservation_deleted,
         reservation);
  state.edit<Reservation>(key, [&](Reservation& reservation) {
    reservation.phase = phase;
    reservation.proposed.clear();
  });
  for (const auto job_key : state.occupancy().jobs_of.of(key)) {
    if (state.tally(job_key).active == 0) { // nothing of it is copied
      tell_of_waiting(state, *state.job(job_key), reason, now);
      erase_with_tasks(state, job_key);
      continue;
    }
    drop_all_waiting(state, job_key, reason, now);
    std::vector<TaskId> tasks;
    for (const auto& task : state.tasks_of(job_key)) tasks.push_back(task.id());
    for (const auto& id : tasks) {
      const auto& host = state.task(id)->grants.front().instance.host;
      const bool lost =
          phase == ReservationPhase::closed && state.host(host).phase == HostPhase::unknown;
      if (force || lost) {
        ExitRecord record;
        record.failed = failed::killed, record.reason = reason;
        finish_task(state, id, record, now);
      } else {
        state.edit<Task>(id, [&](Task& kept) {
          kept.deleting = true, kept.after_end = AfterEnd::gone;
          kept.reason = reason;
        });
      }
    }
    erase_if_finished(state, job_key);
  }
  remove_if_done(state, key);
}

void reservation_due(State& state, ReservationKey key, Instant now) {
  const auto* reservation = state.reservation(key);
  if (!reservation) return;
  auto due = step(*reservation, now);
  if (due.proposal_expires) {
    drop_proposal(state, key);
    if (!state.reservation(key)) return;
  }
  if (due.opens && !due.closes) {
    state.edit<Reservation>(key, [&](Reservation& opening) {
      opening.phase = ReservationPhase::running;
      opening.bad = health(state, opening);
    });
    const auto& opened = *state.reservation(key);
    if (!opened.bad.empty()) mail(state, Occasion::reservation_in_error, opened);
    mail(state, Occasion::reservation_started, opened);
  }
  if (due.closes)
    begin_removal(state, key, ReservationPhase::closed, false,
                  "advance reservation " + to_string(reservation->number) + " ended", now);
}

} // namespace almanac::rules
