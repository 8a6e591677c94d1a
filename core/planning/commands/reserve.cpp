#include "core/planning/commands/reserve.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/grant_answer.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/site_consent.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/planning/texts.hpp"

#include <set>

namespace almanac::rules {

namespace {

// What is held there finds another place in the next pass, which records why.
void move_holds(State& state, const Caller& caller, const Reservation& reservation) {
  std::set<JobKey> holders;
  const auto& shape = *shapes_of(reservation).front();
  for (const auto& hold : holds_beside(state, shape.bookings, shape.window))
    holders.insert(hold.job);
  state.waiting().unsettle(
      {AnswerCode::overridden_by, {{"reservation", reservation.number}, {"user", caller.user}}},
      holders);
}

// It has a place, which is kept while the site is asked.
Answer ask_first(State& state, const Caller& caller, const Reserve& command, Shape shape,
                 bool was_asap, Instant now) {
  auto proposed = new_reservation(state, caller, command.request, now);
  Proposal proposal;
  proposal.shape = std::move(shape);
  proposal.request = proposed.request;
  proposal.request.asap = was_asap; // until it is granted
  proposal.by = caller;
  proposed.proposed = {std::move(proposal)};
  if (command.override_holds) move_holds(state, caller, proposed);
  return ask_site(state, std::move(proposed), HookEvent::confirm, now);
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
  if (site_must_agree(state, HookEvent::confirm))
    return ask_first(state, caller, command, std::move(prepared.shape), asked.request.asap, now);
  auto granted = new_reservation(state, caller, command.request, now);
  change_state(granted, ReservationEvent::committed);
  granted.shape = std::move(prepared.shape);
  granted.bad = texts_of(health(state, granted));
  const auto key = granted.key;
  const bool is_bad = !granted.bad.empty();
  state.put(std::move(granted));
  if (is_bad) state.want_repair();
  call_hook(state, HookEvent::confirm, *state.reservation(key),
            text_of({AnswerCode::reservation_was_granted, {}}));
  reservation_due(state, key, now);
  const auto& reservation = *state.reservation(key);
  if (command.override_holds) move_holds(state, caller, reservation);
  return granted_answer(state, reservation, {asked.request.asap, prepared.on_unhealthy});
}

} // namespace almanac::rules
