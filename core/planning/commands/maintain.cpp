#include "core/planning/commands/maintain.hpp"

#include "core/matching/occupants.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/maintenance.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/texts.hpp"

#include <utility>

namespace almanac::rules {

namespace {

std::optional<Answer> option_obstacle(const Reserve& command) {
  const auto excluded = [](const char* option) {
    return Answer::refusal({AnswerCode::maintenance_and_option, {{"option", option}}});
  };
  if (command.from_job) return excluded("-from-job");
  if (command.override_holds) return excluded("-override-holds");
  if (command.offer_for != Duration{}) return excluded("-offer");
  return std::nullopt;
}

// What is asked for, with the names of the hosts and the number that it would get.
Result<Reservation, Answer> drafted(const State& state, const Caller& caller,
                                    const Reserve& command, Instant now) {
  const auto& configuration = state.configuration();
  if (auto why = maintenance_obstacle(configuration, caller)) return *why;
  if (auto why = option_obstacle(command)) return *why;
  if (auto why = users_obstacle(configuration, command.request)) return Answer::refusal(*why);
  auto hosts = hosts_to_close(configuration, command.request.hosts);
  if (!hosts) return Answer::refusal(hosts.error());
  const auto window = requested_window(command.request, now);
  if (!window) return Answer::refusal(window.error());
  Reservation draft;
  draft.number =
      state.occupancy().numbers.next(ReservationNumber{state.counters().last_reservation_number});
  draft.owner = caller, draft.submitted = draft.closes_since = now;
  draft.request = command.request;
  draft.request.hosts = std::move(*hosts);
  if (draft.request.name.empty()) draft.request.name = "maintenance";
  draft.shape.window = *window, draft.shape.users = command.request.users;
  return draft;
}

Answer refusal_of(const State& state, const MaintenancePlan& plan) {
  Answer answer;
  for (auto& what : statements_of(state, plan)) answer.warn(std::move(what));
  answer.refuse(
      {AnswerCode::reservations_cannot_move, {{"count", plan.reservations.stuck.size()}}});
  return answer;
}

} // namespace

Answer maintain(State& state, const Caller& caller, const Reserve& command, Instant now) {
  auto draft = drafted(state, caller, command, now);
  if (!draft) return draft.error();
  const auto plan = plan_of(state, *draft, nullptr, command.force, now);
  if (!plan.reservations.stuck.empty() && !command.force) return refusal_of(state, plan);
  Answer answer;
  answer.number = draft->number.value;
  answer.say({AnswerCode::reservation_granted, {{"reservation", answer.number}}});
  for (auto& what : statements_of(state, plan)) answer.say(std::move(what));
  auto granted = new_reservation(state, caller, draft->request, now);
  check(granted.number == draft->number, "it has the number that was looked up");
  change_state(granted, ReservationEvent::committed);
  granted.shape = draft->shape, granted.closes_since = now;
  const auto key = granted.key;
  state.put(std::move(granted));
  call_hook(state, HookEvent::confirm, *state.reservation(key),
            text_of({AnswerCode::reservation_was_granted, {}}));
  carry_out(state, plan, key, now);
  reservation_due(state, key, now);
  return answer;
}

Answer verify_maintenance(const State& state, const Caller& caller, const Reserve& command,
                          Instant now) {
  const auto draft = drafted(state, caller, command, now);
  if (!draft) return draft.error();
  const auto plan = plan_of(state, *draft, nullptr, command.force, now);
  if (!plan.reservations.stuck.empty() && !command.force) return refusal_of(state, plan);
  Answer answer;
  answer.say({AnswerCode::would_close_hosts,
              {{"count", draft->request.hosts.size()},
               {"start", draft->shape.window.start},
               {"end", taken_to(draft->shape.window.end)}}});
  for (auto& what : statements_of(state, plan)) answer.say(std::move(what));
  return answer;
}

} // namespace almanac::rules
