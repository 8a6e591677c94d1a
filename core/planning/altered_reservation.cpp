#include "core/planning/altered_reservation.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/maintenance.hpp"
#include "core/planning/preemption.hpp"
#include "core/planning/replaced_grants.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/planning/texts.hpp"
#include "core/policy/standing.hpp"

#include <map>
#include <utility>

namespace almanac::rules {

namespace {

// Its owner hears of it once, whatever comes of the job.
void give_way(State& state, const ReservationChange& change) {
  std::map<JobKey, std::vector<Statement>> told;
  for (const auto& end : change.ends) {
    state.edit<Task>(end.task, [&](Task& task) {
      if (!end.at_once) return void(task.ended_at = end.ended_at);
      task.deleting = true, task.after_end = end.again ? AfterEnd::again : AfterEnd::gone;
      task.reason = text_of(end.what);
    });
    if (end.is_earlier) told[end.task.job].push_back(end.what);
  }
  for (const auto& [key, why] : change.held) {
    const auto& job = *state.job(key);
    told[key].push_back({AnswerCode::job_held_by_change, {{"job", job.number}, {"why", why}}});
    if (!job.held_by_user) state.edit<Job>(key, [](Job& held) { held.held_by_user = true; });
  }
  for (const auto& [key, what] : told) {
    std::string note;
    for (const auto& text : texts_of(what)) note += (note.empty() ? "" : "; ") + text;
    mail_change(state, *state.job(key), note);
  }
}

// Prepared and committed in one step: no moment lies between both shapes.
void take_shape(State& state, const ReservationChange& change, Instant now) {
  if (const auto& was = *state.reservation(change.key); !was.proposed.empty())
    remember(state, was, was.proposed.front().is_agreed, now); // else it lapsed
  const auto booked_until = state.reservation(change.key)->shape.window.end;
  const auto was = state.reservation(change.key)->shape.grants;
  if (change.reshapes) state.want_repair(); // others may need what it gives up
  state.edit<Reservation>(change.key, [&](Reservation& reservation) {
    reservation.proposed.clear();
    if (change.reshapes) {
      reservation.proposed.emplace_back().shape = change.shape;
      if (const auto event = almanac::commit(reservation, now)) change_state(reservation, *event);
    }
    if (!change.original.empty()) {
      reservation.note = text_of(
          replacement_of(without(was, change.shape.grants), without(change.shape.grants, was)));
      reservation.original = change.original;
    }
    reservation.request = change.request;
    if (reservation.series && change.alone) reservation.altered = true;
    if (change.reshapes) reservation.gives_up_at = {}; // the next repair counts anew
    if (change.maintenance) reservation.closes_since = now;
  });
  if (change.reshapes) {
    move_holds_away(state, change.key), place_changed(state, change.key, now);
    prolong_tasks(state, change.key);
  }
  note_left_behind(state, change.key, booked_until); // others may be there afterwards
  if (change.maintenance) carry_out(state, *change.maintenance, change.key, now);
  auto bad = texts_of(health(state, *state.reservation(change.key)));
  if (bad != state.reservation(change.key)->bad) note_health(state, change.key, std::move(bad));
}

} // namespace

Answer carry_out(State& state, const Caller& caller, const ReservationChange& change, Instant now) {
  const auto number = state.reservation(change.key)->number;
  const auto& proposed = state.reservation(change.key)->proposed;
  const bool site_knows = !proposed.empty() && proposed.front().is_agreed;
  Answer answer;
  answer.number = number.value;
  for (auto& what : consequences(state, change)) answer.say(std::move(what));
  give_way(state, change);
  const auto before = *state.reservation(change.key);
  take_shape(state, change, now);
  const auto& reservation = *state.reservation(change.key);
  const Statement done{AnswerCode::reservation_modified,
                       {{"user", caller.user}, {"reservation", number}}};
  answer.say(done);
  if (change.starts_asap) answer.say(start_of(reservation.shape));
  if (change.on_unhealthy)
    for (auto& bad : health(state, reservation))
      answer.warn({AnswerCode::reservation_unhealthy, {{"why", std::move(bad)}}});
  if (!owns(caller, reservation.owner))
    mail(state, Occasion::reservation_changed, reservation, text_of(done));
  const bool is_replaced =
      !change.original.empty() && reservation.shape.slots() >= before.shape.slots();
  if (is_replaced && reservation.bad.empty())
    mail(state, Occasion::reservation_repaired, reservation);
  if (!site_knows) call_hook(state, HookEvent::change, reservation, text_of(done), &before);
  const auto series = change.reshapes && change.alone ? reservation.series : ReservationNumber{};
  reservation_due(state, change.key, now);
  bind_to_earlier(state, series, now);
  return answer;
}

std::vector<Statement> hold(State& state, std::vector<HeldJob> jobs) {
  ReservationChange change;
  change.held = std::move(jobs);
  give_way(state, change);
  return consequences(state, change);
}

} // namespace almanac::rules
