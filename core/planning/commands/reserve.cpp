#include "core/planning/commands/reserve.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/preemption.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/site_consent.hpp"
#include "core/planning/soonest_start.hpp"
#include "core/planning/texts.hpp"

#include <set>
#include <utility>

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

// What is asked for with its start, and where it has its place.
struct Placed {
  Reserve command;
  Prepared place;
};

Result<Placed, Answer> find(const State& state, const Caller& caller, const Reserve& asked,
                            Instant now) {
  if (auto obstacle = simple_obstacle(state, caller, asked.request, true)) return *obstacle;
  if (auto obstacle = override_obstacle(state, caller, asked)) return *obstacle;
  auto started = with_start(state, caller, asked, now);
  if (!started) return started.error();
  auto place = find_shape(state, caller, *started, now);
  if (place.refusal) return *place.refusal;
  if (auto obstacle = slot_hours_obstacle(state, caller, caller, place.shape, nullptr, now))
    return *obstacle;
  return Placed{std::move(*started), std::move(place)};
}

Granted put(State& state, const Caller& caller, Placed placed, bool was_asap, Instant now) {
  auto reservation = new_reservation(state, caller, placed.command.request, now);
  change_state(reservation, ReservationEvent::committed);
  reservation.shape = std::move(placed.place.shape);
  reservation.bad = texts_of(health(state, reservation));
  const Granted granted{
      reservation.key, {was_asap, placed.place.on_unhealthy}, placed.command.override_holds};
  if (!reservation.bad.empty()) state.want_repair();
  state.put(std::move(reservation));
  move_holds_away(state, granted.key);
  return granted;
}

} // namespace

Result<Granted, Answer> grant(State& state, const Caller& caller, const Reserve& asked,
                              Instant now) {
  auto placed = find(state, caller, asked, now);
  if (!placed) return placed.error();
  return put(state, caller, std::move(*placed), asked.request.asap, now);
}

Answer tell_of(State& state, const Caller& caller, const Granted& granted, Instant now) {
  const auto key = granted.key;
  call_hook(state, HookEvent::confirm, *state.reservation(key),
            text_of({AnswerCode::reservation_was_granted, {}}));
  reservation_due(state, key, now);
  const auto& reservation = *state.reservation(key);
  if (granted.overrides_holds) move_holds(state, caller, reservation);
  return granted_answer(state, reservation, granted.details);
}

Answer reserve(State& state, const Caller& caller, const Reserve& asked, Instant now) {
  auto placed = find(state, caller, asked, now);
  if (!placed) return placed.error();
  const auto was_asap = asked.request.asap;
  if (site_must_agree(state, HookEvent::confirm))
    return ask_first(state, caller, placed->command, std::move(placed->place.shape), was_asap, now);
  return tell_of(state, caller, put(state, caller, std::move(*placed), was_asap, now), now);
}

} // namespace almanac::rules
