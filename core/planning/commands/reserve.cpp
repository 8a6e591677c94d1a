#include "core/planning/commands/reserve.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/planning/texts.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

#include <set>

namespace almanac::rules {

namespace {

// A list is let in as a whole (spec/reservations.md R9.4), and may name somebody whom
// another list keeps out.
std::vector<Statement> kept_out(const Configuration& configuration, const Shape& shape) {
  std::vector<Statement> warnings;
  for (const auto& list : shape.users) {
    const auto set = configuration.usersets().find(list.starts_with('@') ? list.substr(1) : "");
    if (set == configuration.usersets().end()) continue;
    for (const auto& user : set->second.entries)
      for (const auto& grant : shape.grants) {
        const auto* instance = configuration.instance(grant.instance);
        const auto& host = configuration.hosts().at(grant.instance.host);
        if (configuration.allowed(user, "", {}, instance->settings.xuser_lists) &&
            configuration.allowed(user, "", {}, host.xuser_lists))
          continue;
        warnings.push_back({AnswerCode::user_kept_out,
                            {{"user", user}, {"userset", list}, {"queue", grant.instance.text()}}});
        break; // one place for each is enough
      }
  }
  return warnings;
}

// What is held there finds another place in the next pass, which records why.
void move_holds(State& state, const Caller& caller, const Reservation& reservation) {
  std::set<JobKey> holders;
  for (const auto& hold : holds_beside(state, reservation.shape.bookings, reservation.shape.window))
    holders.insert(hold.job);
  state.waiting().unsettle(
      {AnswerCode::overridden_by, {{"reservation", reservation.number}, {"user", caller.user}}},
      holders);
}

} // namespace

Answer reserve(State& state, const Caller& caller, const Reserve& asked, Instant now) {
  if (auto obstacle = simple_obstacle(state, caller, asked.request, true)) return *obstacle;
  if (auto obstacle = override_obstacle(state, caller, asked)) return *obstacle;
  const auto started = with_start(state, caller, asked, now);
  if (!started) return started.error();
  const auto& command = *started;
  auto prepared = find_shape(state, caller, command, now);
  if (prepared.refusal) return *prepared.refusal;
  if (auto obstacle = slot_hours_obstacle(state, caller, caller, prepared.shape, nullptr, now))
    return *obstacle;
  auto granted = new_reservation(state, caller, command.request, now);
  change_state(granted, ReservationEvent::committed);
  granted.shape = std::move(prepared.shape);
  granted.bad = texts_of(health(state, granted));
  const auto key = granted.key;
  state.put(std::move(granted));
  call_hook(state, HookEvent::confirm, *state.reservation(key),
            text_of({AnswerCode::reservation_was_granted, {}}));
  reservation_due(state, key, now);
  const auto& reservation = *state.reservation(key);
  if (command.override_holds) move_holds(state, caller, reservation);
  Answer answer;
  answer.number = reservation.number.value;
  answer.say({AnswerCode::reservation_granted, {{"reservation", answer.number}}});
  if (asked.request.asap) answer.say(start_of(reservation.shape));
  if (auto warning = little_time_left(state, reservation.shape.window))
    answer.warn(std::move(*warning));
  if (prepared.on_unhealthy)
    for (auto& bad : health(state, reservation))
      answer.warn({AnswerCode::reservation_unhealthy, {{"why", std::move(bad)}}});
  for (auto& warning : kept_out(state.configuration(), reservation.shape))
    answer.warn(std::move(warning));
  return answer;
}

} // namespace almanac::rules
