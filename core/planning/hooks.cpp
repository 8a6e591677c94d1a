#include "core/planning/hooks.hpp"

#include "core/planning/letters.hpp"
#include "core/planning/texts.hpp"

#include <vector>

namespace almanac::rules {

namespace {

constexpr Duration before_next_try{60};

void set_start_hook(State& state, ReservationKey key, StartHook hook, Instant again = {}) {
  state.edit<Reservation>(key, [&](Reservation& reservation) {
    reservation.start_hook = hook, reservation.hook_again = again;
  });
}

} // namespace

Reservation as_proposed(const Reservation& reservation) {
  auto next = reservation;
  const auto& proposal = reservation.proposed.front();
  if (proposal.verb == ReservationVerb::change) next.shape = proposal.shape;
  next.request = proposal.request;
  return next;
}

std::int64_t call_hook(State& state, HookEvent event, const Reservation& reservation,
                       const std::string& cause, const Reservation* before) {
  const auto& hooks = state.configuration().global().hooks;
  if (hooks.of(event).empty()) return 0;
  HookCall call;
  call.event = event;
  call.command = hooks.of(event), call.timeout = hooks.timeout;
  call.reservation = reservation.key, call.number = reservation.number;
  call.name = reservation.request.name, call.owner = reservation.owner.user;
  call.cause = cause;
  call.window = reservation.shape.window;
  call.state = std::string(1, state_letter(reservation));
  call.slots = reservation.shape.slots();
  call.is_awaited = hooks.must_succeed(event);
  call.series = reservation.series;
  call.grants = reservation.shape.grants;
  if (before) call.before = {{before->request.name, before->shape.window, before->shape.grants}};
  return state.append(std::move(call));
}

void tell_of_error(State& state, const Reservation& reservation) {
  const auto cause =
      text_of({AnswerCode::reservation_was_in_error, {{"why", reservation.bad.front()}}});
  mail_administrators(state, Occasion::reservation_in_error, reservation, cause);
  call_hook(state, HookEvent::error, reservation, cause);
}

void tell_of_withdrawal(State& state, const Reservation& reservation) {
  if (reservation.proposed.empty() || reservation.proposed.front().asks == 0) return;
  if (reservation.is_granted())
    call_hook(state, HookEvent::change, reservation,
              text_of({AnswerCode::reservation_was_not_changed, {}}));
  else
    call_hook(state, HookEvent::cancel, as_proposed(reservation),
              text_of({AnswerCode::reservation_was_not_granted, {}}));
}

void call_start_hook(State& state, ReservationKey key) {
  if (state.configuration().global().hooks.must_succeed(HookEvent::start))
    set_start_hook(state, key, StartHook::runs);
  call_hook(state, HookEvent::start, *state.reservation(key),
            text_of({AnswerCode::reservation_began, {}}));
}

void call_start_hook_again(State& state, ReservationKey key) {
  if (state.configuration().global().hooks.of(HookEvent::start).empty())
    return set_start_hook(state, key, StartHook::not_awaited);
  set_start_hook(state, key, StartHook::runs);
  call_hook(state, HookEvent::start, *state.reservation(key),
            text_of({AnswerCode::reservation_began, {}}));
}

void hook_ended(State& state, const HookEnded& fact, Instant now) {
  const auto* reservation = state.reservation(fact.reservation);
  if (!reservation) return;
  const bool is_awaited =
      fact.event == HookEvent::start && reservation->start_hook == StartHook::runs;
  const auto failure =
      fact.failure.empty()
          ? ""
          : text_of({AnswerCode::hook_failed,
                     {{"hook", std::string(attribute_of(fact.event))}, {"why", fact.failure}}});
  if (reservation->hook_failure != failure)
    state.edit<Reservation>(fact.reservation,
                            [&](Reservation& kept) { kept.hook_failure = failure; });
  if (!failure.empty()) mail_administrators(state, Occasion::hook_failed, *reservation, failure);
  if (!is_awaited) return;
  if (failure.empty()) set_start_hook(state, fact.reservation, StartHook::not_awaited);
  else set_start_hook(state, fact.reservation, StartHook::failed, now + before_next_try);
}

void hooks_after_restart(State& state, Instant now) {
  std::vector<ReservationKey> awaited;
  for (const auto& reservation : state.reservations())
    if (reservation.start_hook == StartHook::runs) awaited.push_back(reservation.key);
  for (const auto key : awaited) set_start_hook(state, key, StartHook::failed, now);
}

} // namespace almanac::rules
