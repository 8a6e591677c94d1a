#include "core/planning/commands/alter_reservation.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/reservation_change.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/planning/texts.hpp"
#include "core/policy/standing.hpp"

#include <map>

namespace almanac::rules {

namespace {

// One request writes only so many jobs anew.
std::optional<Answer> writing_obstacle(State& state, const ReservationChange& change,
                                       ReservationNumber number) {
  for (const auto& held : change.held) {
    const auto& job = *state.job(held.job);
    if (state.may_write(held.job, kept_bytes(job))) continue;
    auto answer = Answer::refusal({AnswerCode::too_much_in_one_request, {{"job", job.number}}});
    answer.refuse({AnswerCode::reservation_not_changed, {{"reservation", number}}});
    return answer;
  }
  return std::nullopt;
}

// Its owner hears of it once, whatever comes of the job.
void give_way(State& state, const ReservationChange& change) {
  std::map<JobKey, std::vector<Statement>> told;
  for (const auto& end : change.ends) {
    state.edit<Task>(end.task, [&](Task& task) { task.ended_at = end.ended_at; });
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
    remember(state, was, false, now);       // it lapsed
  if (change.reshapes) state.want_repair(); // others may need what it gives up
  state.edit<Reservation>(change.key, [&](Reservation& reservation) {
    reservation.proposed.clear();
    if (change.reshapes) {
      reservation.proposed.emplace_back().shape = change.shape;
      if (const auto event = almanac::commit(reservation, now)) change_state(reservation, *event);
    }
    reservation.request = change.request;
  });
  if (change.reshapes) prolong_tasks(state, change.key);
  auto bad = texts_of(health(state, *state.reservation(change.key)));
  if (bad != state.reservation(change.key)->bad) note_health(state, change.key, std::move(bad));
}

} // namespace

Answer alter_reservation(State& state, const Caller& caller, const AlterReservation& command,
                         Instant now) {
  const auto found = find_change(state, caller, command, now);
  if (found.refusal) return *found.refusal;
  const auto& change = *found.change;
  if (auto why = writing_obstacle(state, change, command.number)) return *why;
  Answer answer;
  answer.number = command.number.value;
  for (auto& what : consequences(state, change)) answer.say(std::move(what));
  give_way(state, change);
  take_shape(state, change, now);
  const auto& reservation = *state.reservation(change.key);
  const Statement done{AnswerCode::reservation_modified,
                       {{"user", caller.user}, {"reservation", command.number}}};
  answer.say(done);
  if (change.starts_asap) answer.say(start_of(reservation.shape));
  if (change.on_unhealthy)
    for (auto& bad : health(state, reservation))
      answer.warn({AnswerCode::reservation_unhealthy, {{"why", std::move(bad)}}});
  if (!owns(caller, reservation.owner))
    mail(state, Occasion::reservation_changed, reservation, text_of(done));
  call_hook(state, HookEvent::change, reservation, text_of(done));
  reservation_due(state, change.key, now);
  return answer;
}

} // namespace almanac::rules
