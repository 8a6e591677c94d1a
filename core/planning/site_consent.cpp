#include "core/planning/site_consent.hpp"

#include "core/planning/altered_reservation.hpp"
#include "core/planning/grant_answer.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/reservation_change.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/texts.hpp"
#include "core/text/names.hpp"

#include <utility>
#include <vector>

namespace almanac::rules {

namespace {

constexpr Duration for_the_outcome{10}; // beside the time that the program has

std::string cause_of(HookEvent event, const Reservation& proposed) {
  return text_of(event == HookEvent::confirm
                     ? Statement{AnswerCode::reservation_is_to_be_granted, {}}
                     : Statement{AnswerCode::reservation_is_to_be_changed,
                                 {{"user", requester(proposed).user}}});
}

Answer grant(State& state, ReservationKey key, Instant now) {
  const bool was_asap = state.reservation(key)->proposed.front().request.asap;
  commit(state, key, now);
  reservation_due(state, key, now);
  return granted_answer(state, *state.reservation(key), {was_asap, true});
}

// Of two phases, the first is over.
Answer hold(State& state, const Reservation& reservation, Instant now) {
  const auto key = reservation.key;
  auto held = reservation;
  auto& proposal = held.proposed.front();
  proposal.is_agreed = true;
  proposal.held_until = now + proposal.hold_for;
  if (lapses_at(held) <= now) {
    drop_proposal(state, key, now);
    return Answer::refusal({AnswerCode::over_before_commit, {}});
  }
  Answer answer;
  answer.number = held.number.value;
  answer.say(
      {AnswerCode::reservation_held,
       {{"user", requester(held).user}, {"reservation", held.number}, {"until", lapses_at(held)}}});
  state.put(std::move(held));
  return answer;
}

// What has happened in it while the site was asked counts, too.
Answer change(State& state, const Reservation& reservation, Instant now) {
  const auto by = requester(reservation);
  const auto found = find_asked_change(state, reservation, now);
  if (!found.refusal) return carry_out(state, by, *found.change, now);
  drop_proposal(state, reservation.key, now);
  return *found.refusal;
}

// The site says why, or its program could not be run to its end.
Answer deny(State& state, const Reservation& reservation, const HookEnded& fact, Instant now) {
  const auto number = reservation.number;
  if (fact.said.empty())
    mail_administrators(
        state, Occasion::hook_failed, reservation,
        text_of({AnswerCode::hook_failed,
                 {{"hook", std::string(attribute_of(fact.event))}, {"why", fact.failure}}}));
  const bool is_new = reservation.phase == ReservationPhase::proposed;
  const auto key = reservation.key;
  state.edit<Reservation>(key, [](Reservation& denied) {
    denied.proposed.front().asks = 0; // nothing is to be told to who has denied it
  });
  drop_proposal(state, key, now);
  auto answer = Answer::refusal(
      {AnswerCode::site_denied, {{"why", fact.said.empty() ? fact.failure : fact.said}}});
  if (!is_new) answer.refuse({AnswerCode::reservation_not_changed, {{"reservation", number}}});
  return answer;
}

} // namespace

bool site_must_agree(const State& state, HookEvent event) {
  return state.configuration().global().hooks.must_succeed(event);
}

Statement site_is_asked_first(HookEvent event, const char* option) {
  return {AnswerCode::site_is_asked_first,
          {{"option", option}, {"hook", std::string(attribute_of(event))}}};
}

Answer ask_site(State& state, Reservation proposed, HookEvent event, Instant now) {
  auto& proposal = proposed.proposed.front();
  proposal.held_until = now + state.configuration().global().hooks.timeout + for_the_outcome;
  proposal.asks = call_hook(state, event, as_proposed(proposed), cause_of(event, proposed),
                            event == HookEvent::change ? &proposed : nullptr);
  auto answer = Answer::refusal(
      {AnswerCode::site_did_not_agree,
       {{"reservation", proposed.number}, {"hook", std::string(attribute_of(event))}}});
  answer.number = proposed.number.value;
  state.put(std::move(proposed));
  return answer;
}

std::optional<Answer> site_answered(State& state, const HookEnded& fact, Instant now) {
  const auto* reservation = state.reservation(fact.reservation);
  if (!reservation || reservation->proposed.empty()) return std::nullopt;
  const auto& proposal = reservation->proposed.front();
  if (!proposal.awaits_site() || proposal.asks != fact.sequence) return std::nullopt;
  if (lapses_at(*reservation) <= now) { // a moment before its timer
    drop_proposal(state, reservation->key, now);
    return std::nullopt;
  }
  if (!fact.failure.empty()) return deny(state, *reservation, fact, now);
  if (proposal.hold_for > Duration{}) return hold(state, *reservation, now);
  state.edit<Reservation>(fact.reservation,
                          [](Reservation& r) { r.proposed.front().is_agreed = true; });
  reservation = state.reservation(fact.reservation);
  return reservation->is_granted() ? change(state, *reservation, now)
                                   : grant(state, fact.reservation, now);
}

Answer deleted_while_asked(ReservationNumber number) {
  auto answer =
      Answer::refusal({AnswerCode::deleted_while_site_was_asked, {{"reservation", number}}});
  answer.number = number.value;
  return answer;
}

void give_up_questions_to_site(State& state, Instant now) {
  std::vector<ReservationKey> asked;
  for (const auto& reservation : state.reservations())
    if (!reservation.proposed.empty() && reservation.proposed.front().awaits_site())
      asked.push_back(reservation.key);
  for (const auto key : asked) drop_proposal(state, key, now);
}

} // namespace almanac::rules
