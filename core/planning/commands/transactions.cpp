#include "core/planning/commands/transactions.hpp"

#include "core/planning/commands/delete_reservations.hpp"
#include "core/planning/commands/proposals.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

namespace almanac::rules {

Answer prepare(State& state, const Caller& caller, const PrepareReservation& command, Instant now) {
  const auto* existing = command.number ? state.reservation_by_number(command.number) : nullptr;
  const auto id = to_string(command.number);
  if (command.number && (!existing || existing->is_ending()))
    return Answer::refusal("denied: advance_reservation \"" + id + "\" does not exist");
  if (existing && !existing->proposed.empty())
    return Answer::refusal("denied: a change of advance_reservation \"" + id +
                           "\" is held already");
  if (existing && !may_change(state.configuration(), caller, existing->owner))
    return Answer::refusal(
        caller.user +
        " - you do not have the necessary privileges to change the advance_reservation \"" + id +
        "\"");
  if (command.hold_for.seconds <= 0 || command.hold_for.is_endless())
    return Answer::refusal("a proposal is held for a time from one second on");
  Proposal proposal{
      command.transaction, now + command.hold_for, command.removal, {}, command.request};
  if (!command.removal) {
    if (auto obstacle = simple_obstacle(state, caller, command.request, !existing))
      return *obstacle;
    auto prepared =
        find_shape(state, existing ? existing->owner : caller, command.request, existing, now);
    if (prepared.refusal) return *prepared.refusal;
    proposal.shape = prepared.shape;
  } else if (!existing) return Answer::refusal("only a reservation that exists can be removed");
  Answer answer;
  if (!existing) {
    const auto key = add_held(state, caller, command.request, proposal, now);
    answer.number = state.reservation(key)->number.value;
  } else {
    answer.number = existing->number.value;
    state.edit<Reservation>(existing->key,
                            [&](Reservation& changed) { changed.proposed = {proposal}; });
  }
  answer.say({AnswerCode::reservation_held, {{"reservation", answer.number}}});
  return answer;
}

Answer settle(State& state, const Caller& caller, const SettleReservation& command, Instant now) {
  const auto* reservation = state.reservation_by_number(command.number);
  const auto id = to_string(command.number);
  if (!reservation || reservation->proposed.empty() ||
      reservation->proposed.front().transaction != command.transaction)
    return Answer::refusal("denied: nothing is held for advance_reservation \"" + id +
                           "\" in this transaction");
  if (!may_change(state.configuration(), caller, reservation->owner))
    return Answer::refusal(
        caller.user +
        " - you do not have the necessary privileges to change the advance_reservation \"" + id +
        "\"");
  const auto key = reservation->key;
  Answer answer;
  answer.number = command.number.value;
  if (!command.commit) {
    drop_proposal(state, key);
    answer.say(Statement::said("advance reservation " + id + ": the held change is dropped"));
  } else if (reservation->proposed.front().removal) {
    begin_removal(state, key, ReservationPhase::deleted, false,
                  "advance reservation deleted by " + caller.user, now);
    answer.say(Statement::said(removal_text(state, caller, key, id)));
  } else {
    commit(state, key);
    answer.say(Statement::said("Your advance reservation " + id + " has been granted"));
  }
  return answer;
}

} // namespace almanac::rules
