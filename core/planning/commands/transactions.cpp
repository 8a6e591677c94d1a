#include "core/planning/commands/transactions.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/base/fingerprint.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/commands/delete_reservations.hpp"
#include "core/planning/commands/remove_reservations.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/loans.hpp"
#include "core/planning/preemption.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/reservation_change.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/site_consent.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/planning/texts.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

Answer no_privileges(const Caller& caller, ReservationNumber number) {
  return Answer::refusal({AnswerCode::no_right_to_change_reservation,
                          {{"user", caller.user}, {"reservation", number}}});
}

Answer no_right_to_settle(const Caller& caller, ReservationNumber number) {
  return Answer::refusal(
      {AnswerCode::no_right_to_settle, {{"user", caller.user}, {"reservation", number}}});
}

Answer does_not_exist(ReservationNumber number) {
  return Answer::refusal({AnswerCode::no_such_reservation, {{"reservation", number}}});
}

// Whoever prepares reads until when it is held: a site may cap that (spec/metascheduler.md M5.5).
Answer held(const Caller& caller, const Reservation& reservation) {
  Answer answer;
  answer.number = reservation.number.value;
  answer.say({AnswerCode::reservation_held,
              {{"user", caller.user},
               {"reservation", reservation.number},
               {"until", lapses_at(reservation)}}});
  return answer;
}

Answer done(AnswerCode code, const Caller& caller, ReservationNumber number) {
  Answer answer;
  answer.number = number.value;
  answer.say({code, {{"user", caller.user}, {"reservation", number}}});
  return answer;
}

// ---- prepare ------------------------------------------------------------------------------------

// What may be proposed for a reservation that is there (spec/plus.md P3.43 and section 4, rule 4).
std::optional<Answer> proposal_obstacle(const State& state, const Caller& caller,
                                        const PrepareReservation& command,
                                        const Reservation& existing, Instant now) {
  const auto id = command.number;
  if (!may_change(state.configuration(), caller, existing.owner)) return no_privileges(caller, id);
  if (!existing.proposed.empty() && lapses_at(existing) > now)
    return Answer::refusal(operation_pending(id));
  if (existing.is_granted()) return std::nullopt;
  if (command.verb == ReservationVerb::destroy && !existing.is_ending()) return std::nullopt;
  return existing.is_over() ? Answer::refusal(is_over_already(existing)) : does_not_exist(id);
}

// What is asked for by hosts stays so, and only grows once it has begun (spec/plus.md P3.48).
std::optional<Answer> nodes_obstacle(const ReservationRequest& request,
                                     const Reservation* existing) {
  if (request.nodes == 0) return std::nullopt;
  const bool was_by_slots = existing && existing->request.nodes == 0;
  if (was_by_slots || !request.pe.empty() || !request.allocation_rule.empty() ||
      !request.slots.empty())
    return Answer::refusal({AnswerCode::by_nodes_or_slots, {}});
  const bool has_begun = existing && existing->phase == ReservationPhase::running;
  if (!has_begun || request.nodes >= existing->request.nodes) return std::nullopt;
  return Answer::refusal({AnswerCode::fewer_nodes_after_start,
                          {{"reservation", existing->number}, {"nodes", existing->request.nodes}}});
}

// Who reserves for others may use it, too (spec/plus.md P3.17).
void add_owner(ReservationRequest& request, const Caller& owner) {
  auto& users = request.users;
  if (users.empty() || std::find(users.begin(), users.end(), owner.user) != users.end()) return;
  users.push_back(owner.user);
}

// What jobs in the reservation have, the new shape must have, too: a commit asks nobody.
std::optional<Statement> task_obstacle(const State& state, const Reservation& own,
                                       const Shape& next) {
  KeptByShape kept(next, own.left_behind);
  std::optional<Statement> first;
  each_task_inside(state, own, [&](const Job& job, const Task& task) {
    if (!first) first = overrun_of(state, job, task, next.window);
    if (!first) first = kept.lacks(job, task);
  });
  return first;
}

// spec/metascheduler.md M8.13
std::optional<Answer> horizon_obstacle(const State& state, const PrepareReservation& command,
                                       Instant now) {
  const auto horizon = state.configuration().scheduler().plus.meta_horizon;
  if (!command.within_horizon || command.request.start <= now + horizon) return std::nullopt;
  return Answer::refusal({AnswerCode::starts_outside_horizon, {{"limit", horizon}}});
}

std::optional<Answer> find_proposal(State& state, const Caller& caller, const Reservation* existing,
                                    Proposal& proposal, Instant now) {
  if (proposal.request.asap) return Answer::refusal({AnswerCode::asap_not_for_changes, {}});
  const bool is_by_nodes = (existing ? existing->request : proposal.request).nodes > 0;
  const bool has_begun = existing && existing->phase == ReservationPhase::running;
  if (is_by_nodes && !has_begun) begin_now(proposal.request, now);
  if (existing) proposal.request = changed(existing->request, proposal.request);
  add_owner(proposal.request, existing ? existing->owner : caller);
  if (auto obstacle = nodes_obstacle(proposal.request, existing)) return obstacle;
  if (const auto why = change_obstacle(proposal.request)) return Answer::refusal(*why);
  if (auto obstacle = simple_obstacle(state, caller, proposal.request, !existing, OthersRoom::used))
    return obstacle;
  const auto& owner = existing ? existing->owner : caller;
  auto prepared = find_shape(state, owner, proposal.request, existing, now);
  if (prepared.refusal) return prepared.refusal;
  if (auto obstacle = slot_hours_obstacle(state, caller, owner, prepared.shape, existing, now))
    return obstacle;
  proposal.shape = std::move(prepared.shape);
  auto& request = proposal.request;
  request.start = proposal.shape.window.start, request.end = proposal.shape.window.end;
  request.duration = {}, request.has_duration = false;
  if (!existing) return std::nullopt;
  if (auto why = task_obstacle(state, *existing, proposal.shape))
    return Answer::refusal({AnswerCode::denied, {{"why", *why}}});
  return std::nullopt;
}

} // namespace

namespace {

Answer settle_prepared(State& state, const Caller& caller, ReservationKey key, Instant now);

// Of what is asked for, in the words of whoever asks: what comes of them may differ a moment later.
std::int64_t fingerprint_of(const PrepareReservation& command) {
  Fingerprint digest;
  digest.add_number(fingerprint(command.request));
  digest.add_number(command.at_once);
  return static_cast<std::int64_t>(digest.value());
}

// Whether that is what is proposed already.
bool is_repeated(const Reservation& existing, const Caller& caller,
                 const PrepareReservation& command) {
  const auto& proposal = existing.proposed.front();
  return proposal.transaction == command.transaction && proposal.verb == command.verb &&
         requester(existing).user == caller.user && !proposal.awaits_site() &&
         proposal.asked == fingerprint_of(command);
}

// A repeated change gets its first answer. The name of the transaction that made the reservation
// cannot be used for a change: a repeated SETRES or COMMIT with that name is about the reservation.
std::optional<Answer> first_answer_of_change(const State& state, const Caller& caller,
                                             const PrepareReservation& command, Instant now) {
  const auto* existing = state.reservation_by_number(command.number);
  if (!existing || !may_change(state.configuration(), caller, existing->owner)) return std::nullopt;
  const auto& name = command.transaction;
  const auto refused = [&](AnswerCode code) {
    return Answer::refusal({code, {{"transaction", name}, {"reservation", command.number}}});
  };
  const bool is_held = !existing->proposed.empty() && lapses_at(*existing) > now;
  const bool is_new = existing->phase == ReservationPhase::proposed;
  const auto* settled = remembered(state, command.number, name, now);
  if ((is_held && is_new && existing->proposed.front().transaction == name) ||
      (settled && settled->is_new))
    return refused(AnswerCode::transaction_made_reservation);
  if (is_held && is_repeated(*existing, caller, command)) return held(caller, *existing);
  const bool is_committed = settled && settled->committed && settled->by.user == caller.user;
  if (!is_committed || command.verb != ReservationVerb::change || !existing->is_granted())
    return std::nullopt;
  if (settled->asked == fingerprint_of(command))
    return done(AnswerCode::reservation_granted, caller, command.number);
  return refused(AnswerCode::transaction_made_other_change);
}

// What was prepared under this name is not prepared twice: whoever lost the first answer gets it
// again (spec/metascheduler.md M5.8).
std::optional<Answer> first_answer(const State& state, const Caller& caller,
                                   const PrepareReservation& command, Instant now) {
  const auto& name = command.transaction;
  if (name.empty()) return std::nullopt;
  if (command.number) return first_answer_of_change(state, caller, command, now);
  const auto& known = state.occupancy().new_transactions;
  if (const auto number = known.held(caller.user, name)) {
    const auto& reservation = *state.reservation_by_number(*number);
    if (reservation.proposed.front().awaits_site())
      return Answer::refusal(operation_pending(*number));
    if (lapses_at(reservation) > now) return held(caller, reservation);
    return std::nullopt;
  }
  const auto number = known.committed(caller.user, name);
  if (!number || !remembered(state, *number, name, now)) return std::nullopt;
  return done(AnswerCode::reservation_granted, caller, *number);
}

// Nothing that is committed at once lapses before.
bool is_over_at_once(const Reservation& prepared, Duration hold_for, Instant now) {
  return hold_for > Duration{} && lapses_at(prepared) <= now;
}

void replace_lapsed(State& state, const Reservation& existing, Instant now) {
  if (existing.proposed.empty()) return;
  tell_of_withdrawal(state, existing);
  remember(state, existing, false, now);
}

// What others lend to a new one, which is not booked yet.
std::vector<LentBy> loans_for(const State& state, const Reservation& next) {
  const auto& lenders = next.request.room_of;
  const bool is_new = next.phase == ReservationPhase::proposed && !state.reservation(next.key);
  if (lenders.empty() || !is_new) return {};
  return LentRoom(state, lenders).loans(next.key, next.proposed.front().shape);
}

// With a place that was found, or nothing to find.
Answer put(State& state, const Caller& caller, const PrepareReservation& command, Duration hold_for,
           Reservation next, Instant now) {
  const bool is_new = command.number.value == 0;
  const auto event = is_new ? HookEvent::confirm : HookEvent::change;
  const auto loans = loans_for(state, next);
  const auto key = next.key;
  if (command.verb == ReservationVerb::change && site_must_agree(state, event)) {
    auto answer = ask_site(state, std::move(next), event, now);
    lend(state, loans), move_holds_away(state, key);
    return answer;
  }
  state.put(std::move(next));
  lend(state, loans), move_holds_away(state, key);
  return hold_for == Duration{} ? settle_prepared(state, caller, key, now)
                                : held(caller, *state.reservation(key));
}

} // namespace

Answer prepare(State& state, const Caller& caller, const PrepareReservation& command, Instant now) {
  if (auto answer = first_answer(state, caller, command, now)) return *answer;
  const auto* existing = command.number ? state.reservation_by_number(command.number) : nullptr;
  if (command.number && !existing) return does_not_exist(command.number);
  if (command.request.maintenance || (existing && existing->request.maintenance))
    return Answer::refusal({AnswerCode::maintenance_by_plus,
                            {{"reservation", existing ? existing->number : ReservationNumber{}}}});
  if (existing)
    if (auto obstacle = proposal_obstacle(state, caller, command, *existing, now)) return *obstacle;
  if (const auto& lenders = command.request.room_of; existing && !lenders.empty())
    return Answer::refusal(
        {AnswerCode::room_not_lent, {{"reservation", lenders.front()}, {"user", caller.user}}});
  const auto hold_for =
      std::min(command.hold_for, state.configuration().scheduler().plus.longest_hold);
  Proposal proposal;
  proposal.transaction = command.transaction, proposal.held_until = now + hold_for;
  proposal.verb = command.verb, proposal.request = command.request;
  proposal.by = caller, proposal.asked = fingerprint_of(command);
  proposal.hold_for = hold_for;
  if (command.at_once) proposal.request.start = now;
  if (command.verb != ReservationVerb::change) {
    if (!existing) return Answer::refusal({AnswerCode::reservation_needed, {}});
    proposal.request = {};
  } else if (auto obstacle = horizon_obstacle(state, command, now)) {
    return *obstacle;
  } else if (auto obstacle = find_proposal(state, caller, existing, proposal, now))
    return *obstacle;
  if (existing)
    if (auto obstacle = budget_obstacle(state, caller, kept_bytes(proposal.request)))
      return *obstacle;
  auto next = existing ? *existing : Reservation();
  next.proposed = {proposal};
  if (!existing) next.request = proposal.request;
  if (is_over_at_once(next, hold_for, now))
    return Answer::refusal({AnswerCode::over_before_commit, {}});
  if (!existing) {
    next = new_reservation(state, caller, proposal.request, now);
    next.proposed = {std::move(proposal)}, next.sealed_secret = command.sealed_secret;
  } else replace_lapsed(state, *existing, now);
  return put(state, caller, command, hold_for, std::move(next), now);
}

// ---- commit and abort ---------------------------------------------------------------------------

namespace {

// Whoever asked for the change may settle it, and managers (spec/plus.md section 4, rule 5).
bool may_settle(const State& state, const Caller& caller, const Caller& by) {
  return owns(caller, by) || is_manager(state.configuration(), caller);
}

// That of this name, or the last one.
const SettledTransaction* find_settled(const State& state, const SettleReservation& command,
                                       Instant now) {
  if (const auto& name = command.transaction; !name.empty())
    return remembered(state, command.number, name, now);
  const auto* last = state.occupancy().numbers.last_settled(command.number);
  return last ? remembered(state, command.number, *last, now) : nullptr;
}

// What was settled this way is settled (spec/plus.md section 4, rule 8).
Answer settled_before(const State& state, const Caller& caller, const SettleReservation& command,
                      Instant now) {
  const auto id = command.number;
  const auto* settled = find_settled(state, command, now);
  if (!settled && !state.reservation_by_number(id)) return does_not_exist(id);
  // What was done in one phase is final, and was never held (spec/plus.md P3.54).
  const bool was_held = settled && !(settled->at_once && command.transaction.empty());
  if (!settled || (!was_held && command.commit))
    return Answer::refusal({AnswerCode::nothing_held, {{"reservation", id}}});
  if (!may_settle(state, caller, settled->by)) return no_right_to_settle(caller, id);
  if (settled->is_offer && command.commit) {
    if (settled->committed) return done(AnswerCode::reservation_granted, caller, id);
    return Answer::refusal(
        {AnswerCode::offer_ended, {{"reservation", id}, {"at", settled->until - remembered_for}}});
  }
  if (settled->committed != command.commit)
    return Answer::refusal(
        {settled->committed ? AnswerCode::change_was_committed : AnswerCode::change_was_aborted,
         {{"reservation", id}}});
  return done(settled->committed ? AnswerCode::committed_before : AnswerCode::aborted_before,
              caller, id);
}

Answer carry_out(State& state, const Caller& caller, const Reservation& reservation, Instant now) {
  const auto key = reservation.key;
  const auto number = reservation.number;
  const auto verb = reservation.proposed.front().verb;
  if (verb == ReservationVerb::change) {
    commit(state, key, now);
    reservation_due(state, key, now);
    auto answer = done(AnswerCode::reservation_granted, caller, number);
    const auto* kept = state.reservation(key);
    if (!kept) return answer; // it was due to end, and nobody had come to it yet
    const auto& granted = *kept;
    const auto warning = is_to_be_repaired(state, granted) ? AnswerCode::reservation_is_repaired
                                                           : AnswerCode::reservation_unhealthy;
    for (auto& bad : health(state, granted)) answer.warn({warning, {{"why", std::move(bad)}}});
    return answer;
  }
  remember(state, reservation, true, now);
  state.edit<Reservation>(key, [](Reservation& changed) { changed.proposed.clear(); });
  return give_up(state, caller, key, verb, now);
}

Answer settle_prepared(State& state, const Caller& caller, ReservationKey key, Instant now) {
  return carry_out(state, caller, *state.reservation(key), now);
}

} // namespace

Answer settle(State& state, const Caller& caller, const SettleReservation& command, Instant now) {
  const auto* reservation = state.reservation_by_number(command.number);
  if (!reservation || reservation->proposed.empty() ||
      (!command.transaction.empty() &&
       reservation->proposed.front().transaction != command.transaction))
    return settled_before(state, caller, command, now);
  const auto id = command.number;
  if (!may_settle(state, caller, requester(*reservation))) return no_right_to_settle(caller, id);
  if (reservation->proposed.front().awaits_site()) return Answer::refusal(operation_pending(id));
  const bool lapsed = lapses_at(*reservation) <= now; // before anything is asked of it (rule 9)
  if (command.commit && !lapsed) return carry_out(state, caller, *reservation, now);
  drop_proposal(state, reservation->key, now);
  if (lapsed) return settled_before(state, caller, command, now);
  return done(AnswerCode::change_discarded, caller, id);
}

} // namespace almanac::rules
