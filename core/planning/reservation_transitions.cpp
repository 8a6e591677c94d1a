#include "core/planning/reservation_transitions.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/maintenance.hpp"
#include "core/planning/preemption.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace almanac::rules {

void change_state(Reservation& reservation, ReservationEvent event) {
  const auto phase = next(reservation.phase, event);
  check(phase.has_value(), "an event comes in a state of a reservation that has it");
  reservation.phase = *phase;
}

namespace {

void erase(State& state, ReservationKey key, ReservationEvent event) {
  check(ends(state.reservation(key)->phase, event), "a reservation goes by an event that ends it");
  state.want_repair(); // others may need what it held
  state.erase<Reservation>(key);
}

} // namespace

void remember(State& state, const Reservation& reservation, bool committed, Instant now) {
  while (const auto old = state.occupancy().settled_ends.overdue(now))
    state.erase<SettledTransaction>(*old);
  // An offer that nobody accepted says when it ended, also where that was noticed later.
  const auto ended = is_offer(reservation) ? std::min(now, lapses_at(reservation)) : now;
  const auto& proposal = reservation.proposed.front();
  SettledTransaction settled{reservation.number, proposal.transaction, committed,
                             ended + remembered_for, requester(reservation)};
  settled.is_offer = is_offer(reservation), settled.asked = proposal.asked;
  settled.at_once = proposal.hold_for == Duration{} && !settled.is_offer;
  settled.is_new = reservation.phase == ReservationPhase::proposed;
  state.name(settled);
  state.put(std::move(settled));
}

const SettledTransaction* remembered(const State& state, ReservationNumber number,
                                     const std::string& transaction, Instant now) {
  const auto* settled = state.records().find<SettledTransaction>({number, transaction});
  return settled && settled->until > now ? settled : nullptr;
}

void commit(State& state, ReservationKey key, Instant now) {
  const auto before = *state.reservation(key);
  const bool was_granted = before.is_granted();
  const bool site_knows = before.proposed.front().is_agreed;
  remember(state, *state.reservation(key), true, now);
  state.want_repair(); // others may need what it gives up
  state.edit<Reservation>(key, [&](Reservation& reservation) {
    if (const auto event = commit(reservation, now)) change_state(reservation, *event);
    reservation.bad = texts_of(health(state, reservation));
  });
  move_holds_away(state, key), place_changed(state, key, now);
  if (was_granted && state.reservation(key)->is_granted()) prolong_tasks(state, key);
  note_left_behind(state, key);
  if (site_knows) return;
  call_hook(state, was_granted ? HookEvent::change : HookEvent::confirm, *state.reservation(key),
            text_of({was_granted ? AnswerCode::reservation_was_changed
                                 : AnswerCode::reservation_was_granted,
                     {}}),
            was_granted ? &before : nullptr);
}

void drop_proposal(State& state, ReservationKey key, Instant now) {
  const auto& reservation = *state.reservation(key);
  tell_of_withdrawal(state, reservation);
  remember(state, reservation, false, now);
  if (reservation.phase == ReservationPhase::proposed)
    return erase(state, key, ReservationEvent::dropped);
  state.want_repair();
  state.edit<Reservation>(key, [](Reservation& changed) { changed.proposed.clear(); });
}

void drop_lapsed_proposals(State& state, Instant now) {
  std::set<std::pair<Instant, ReservationKey>> lapsed;
  for (const auto& reservation : state.reservations())
    if (!reservation.proposed.empty() && lapses_at(reservation) <= now)
      lapsed.emplace(lapses_at(reservation), reservation.key);
  for (const auto& [at, key] : lapsed) drop_proposal(state, key, now);
}

namespace {

// What its tasks hold is booked for all places together from now on.
void forget_repairs(Reservation& over) {
  over.left_behind.clear(), over.gives_up_at = {};
  over.shape.spares.clear(), over.shape.spare_bookings.clear();
}

// What tasks in it still hold: of a reservation that ends, the rest is free (ruling).
std::vector<Booking> held_by_tasks(const State& state, ReservationKey key) {
  Amounts sums;
  each_task_inside(state, *state.reservation(key), [&](const Job&, const Task& task) {
    for (const auto& booking : task.bookings)
      sums[{booking.container, booking.resource}] += booking.amount;
  });
  std::vector<Booking> held;
  for (const auto& [place, amount] : sums) held.push_back({place.first, place.second, amount});
  return held;
}

} // namespace

namespace {

bool is_empty(const State& state, ReservationKey key) {
  const auto& inside = state.occupancy();
  return !inside.jobs_of.any(key) && !inside.attracted.any(key);
}

// Nobody can tell those that are left in it, and nothing in it waits for the next occurrence.
bool is_out_of_reach(const State& state, ReservationKey key) {
  bool all = true;
  each_task_inside(state, *state.reservation(key), [&](const Job&, const Task& task) {
    const auto& host = task.grants.front().instance.host;
    all = all && task.deleting && state.host(host).phase == HostPhase::unknown;
  });
  for (const auto job : state.occupancy().jobs_of.of(key))
    all = all && waiting_tasks(*state.job(job), state.tally(job)) == 0;
  return all;
}

// 0: tasks are in all of them.
ReservationKey oldest_past(const State& state) {
  if (const auto first = state.occupancy().past.first(); is_empty(state, first)) return first;
  std::pair<Instant, ReservationKey> oldest{Instant::never(), {}};
  for (const auto& one : state.reservations())
    if (one.phase == ReservationPhase::expired && is_empty(state, one.key))
      oldest = std::min(oldest, {one.shape.window.end, one.key});
  return oldest.second;
}

} // namespace

void drop_past(State& state) {
  const auto& past = state.occupancy().past;
  while (static_cast<std::int64_t>(past.size()) > state.configuration().scheduler().most_expired) {
    const auto oldest = oldest_past(state);
    if (!oldest) return;
    erase(state, oldest, ReservationEvent::passed);
  }
}

namespace {

// Its record stays for as long as it is among the last ones, or tasks may still run in it. A
// canceled one leaves its jobs as they are.
void expire(State& state, ReservationKey key) {
  state.want_repair();
  auto held = held_by_tasks(state, key);
  state.edit<Reservation>(key, [&](Reservation& past) {
    change_state(past, past.is_ending() ? ReservationEvent::emptied : ReservationEvent::ended);
    past.shape.bookings = std::move(held), past.bad.clear();
  });
  drop_past(state);
}

void keep_what_tasks_hold(State& state, ReservationKey key) {
  auto held = held_by_tasks(state, key);
  if (held == state.reservation(key)->shape.bookings) return;
  state.edit<Reservation>(key, [&](Reservation& over) { over.shape.bookings = std::move(held); });
}

} // namespace

void let_go(State& state, ReservationKey key) {
  const auto* reservation = state.reservation(key);
  if (!reservation || !reservation->is_over()) return;
  const auto phase = reservation->phase;
  const bool empty = is_empty(state, key);
  if (ends(phase, ReservationEvent::emptied)) {
    if (empty) return erase(state, key, ReservationEvent::emptied);
  } else if (phase == ReservationPhase::closed && (empty || is_out_of_reach(state, key)))
    return expire(state, key); // waits for nobody who can't be reached (spec/beyond.md B11.32)
  keep_what_tasks_hold(state, key);
  if (phase == ReservationPhase::expired && empty) drop_past(state);
}

namespace {

// What comes after an occurrence that ends may be granted (spec/beyond.md B5.403).
void let_series_roll(State& state, const Reservation& ending, Instant now) {
  const auto* series = ending.series ? state.series(ending.series) : nullptr;
  if (series && series->due > now)
    state.edit<Series>(series->number, [&](Series& rolling) { rolling.due = now; });
}

// Its waiting tasks stay for the next occurrence (spec/beyond.md B5.4041).
bool waits_for_next(const State& state, const Job& job, const Reservation& ending) {
  return ending.series &&
         !state.occupancy().standing_series.meant_by(job.request->reservation).empty();
}

} // namespace

void cancel(State& state, ReservationKey key, const std::string& reason, Instant now) {
  mail(state, Occasion::reservation_deleted, *state.reservation(key), "");
  call_hook(state, HookEvent::cancel, *state.reservation(key), reason);
  state.want_repair(); // others may need what it held
  state.edit<Reservation>(key, [&](Reservation& reservation) {
    change_state(reservation, ReservationEvent::withdrawn);
    reservation.accounted = true, reservation.canceled_at = now;
    reservation.proposed.clear();
    forget_repairs(reservation);
    reservation.original.clear(), reservation.note = reason;
  });
  let_go(state, key);
}

namespace {

// Its hosts are open again; those that lie on them are well, and others may need the places.
void open_hosts(State& state, const Reservation& over) {
  if (!over.request.maintenance) return;
  const auto hosts = over.request.hosts;
  follow_maintenance(state, hosts);
}

} // namespace

void begin_removal(State& state, ReservationKey key, ReservationEvent why, bool force,
                   const std::string& reason, Instant now) {
  let_series_roll(state, *state.reservation(key), now);
  if (const auto& reservation = *state.reservation(key); reservation.is_granted()) {
    const bool at_end = why == ReservationEvent::ended;
    mail(state, at_end ? Occasion::reservation_finished : Occasion::reservation_deleted,
         reservation,
         reservation.note == reason ? reason : ""); // what was noted of repairs is over
    const bool was_missed = at_end && reservation.phase == ReservationPhase::waiting;
    if (!was_missed)
      call_hook(state, at_end ? HookEvent::end : HookEvent::cancel, reservation, reason);
  }
  if (const auto& reservation = *state.reservation(key); !reservation.proposed.empty()) {
    if (!reservation.is_granted()) tell_of_withdrawal(state, reservation);
    remember(state, reservation, false, now);
  }
  state.edit<Reservation>(key, [&](Reservation& reservation) {
    change_state(reservation, why);
    if (why == ReservationEvent::ended) reservation.accounted = true;
    reservation.proposed.clear();
    forget_repairs(reservation);
  });
  open_hosts(state, *state.reservation(key));
  const auto end_task = [&](const TaskId& id) {
    if (force || is_written_off(state, *state.task(id), now)) {
      ExitRecord record;
      record.failed = failed::killed, record.reason = reason;
      return finish_task(state, id, record, now);
    }
    state.edit<Task>(id, [&](Task& kept) {
      kept.deleting = true, kept.after_end = AfterEnd::gone;
      kept.reason = reason;
    });
  };
  for (const auto job_key : state.occupancy().jobs_of.of(key)) {
    const bool goes_on = waits_for_next(state, *state.job(job_key), *state.reservation(key));
    if (state.tally(job_key).active == 0) { // nothing of it is copied
      if (goes_on) continue;
      tell_of_waiting(state, *state.job(job_key), reason, now);
      erase_with_tasks(state, job_key);
      continue;
    }
    if (!goes_on) drop_all_waiting(state, job_key, reason, now);
    std::vector<TaskId> tasks;
    for (const auto& task : state.tasks_of(job_key))
      if (task.is_active()) tasks.push_back(task.id());
    for (const auto& id : tasks) end_task(id);
    erase_if_finished(state, job_key);
  }
  for (const auto& id : state.occupancy().attracted.of(key)) end_task(id);
  let_go(state, key);
}

namespace {

// It has been idle for as long as was asked for.
void end_idle(State& state, ReservationKey key, Instant now) {
  const auto& reservation = *state.reservation(key);
  const bool has_begun = reservation.phase == ReservationPhase::running;
  const auto minutes = reservation.request.idle_for.seconds / 60;
  const auto reason =
      text_of(minutes > 0 ? Statement{AnswerCode::reservation_was_idle,
                                      {{"reservation", reservation.number}, {"minutes", minutes}}}
                          : Statement{AnswerCode::last_job_of_reservation_left,
                                      {{"reservation", reservation.number}}});
  if (has_begun && reservation.shape.window.start < now)
    state.edit<Reservation>(key, [&](Reservation& ending) { ending.shape.window.end = now; });
  begin_removal(state, key, has_begun ? ReservationEvent::ended : ReservationEvent::removed, false,
                reason, now);
}

} // namespace

namespace {

// Something is lost for as long as its owner would wait (-repair fail).
void give_up(State& state, ReservationKey key, Instant now) {
  const auto reason = text_of({AnswerCode::could_not_be_repaired, {}});
  state.edit<Reservation>(
      key, [&](Reservation& given_up) { given_up.note = reason, given_up.not_repaired = true; });
  const auto& reservation = *state.reservation(key);
  mail(state, Occasion::reservation_in_error, reservation, reason);
  call_hook(state, HookEvent::error, reservation, reason);
  begin_removal(state, key, ReservationEvent::removed, false, reason, now);
}

} // namespace

void open(State& state, ReservationKey key) {
  state.edit<Reservation>(key, [&](Reservation& opening) {
    change_state(opening, ReservationEvent::begun);
    opening.bad = texts_of(health(state, opening));
  });
  await_none(state, key);
  const auto& opened = *state.reservation(key);
  if (!opened.bad.empty()) {
    mail(state, Occasion::reservation_in_error, opened);
    tell_of_error(state, opened);
  }
  if (opened.request.maintenance) begin_maintenance(state, key);
  mail(state, Occasion::reservation_started, *state.reservation(key));
  call_start_hook(state, key);
}

void reservation_due(State& state, ReservationKey key, Instant now) {
  const auto* reservation = state.reservation(key);
  if (!reservation) return;
  auto due = step(*reservation, now);
  if (due.proposal_expires) {
    drop_proposal(state, key, now);
    if (!state.reservation(key)) return;
  }
  if (due.opens && !due.closes) {
    const auto& opening = *state.reservation(key);
    const bool is_closed = opening.others_end_since != Instant{};
    const bool waits = opening.request.preempts && !is_closed && make_room(state, key, now);
    if (!waits) open(state, key);
  }
  if (due.closes && state.reservation(key)->phase == ReservationPhase::canceled) expire(state, key);
  else if (due.closes)
    begin_removal(state, key, ReservationEvent::ended, false,
                  text_of({AnswerCode::reservation_ended, {{"reservation", reservation->number}}}),
                  now);
  else if (due.gives_up) give_up(state, key, now);
  else if (due.is_idle) end_idle(state, key, now);
  else if (due.calls_hook) call_start_hook_again(state, key);
}

} // namespace almanac::rules
