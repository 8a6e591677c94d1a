#include "core/planning/commands/remove_reservations.hpp"

#include "core/planning/commands/delete_reservations.hpp"
#include "core/planning/proposals.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/series_transitions.hpp"
#include "core/planning/texts.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

#include <optional>
#include <set>

namespace almanac::rules {

namespace {

// While something is held, only a commit or an abort is taken, with two exceptions: the requester
// may cancel or destroy a reservation that is only held, and a manager may destroy any reservation
// (spec/plus.md P3.43 and section 4, rules 4 and 7e).
std::optional<Statement> pending_obstacle(const State& state, const Caller& caller,
                                          const Reservation& reservation, ReservationVerb verb) {
  if (reservation.proposed.empty()) return std::nullopt;
  const bool is_only_held = reservation.phase == ReservationPhase::proposed;
  const bool may = verb == ReservationVerb::destroy
                       ? may_interfere(state, caller, reservation)
                       : is_only_held && owns(caller, requester(reservation));
  if (may) return std::nullopt;
  return operation_pending(reservation.number);
}

bool can_be_given_up(const Reservation& reservation, ReservationVerb verb) {
  if (reservation.is_ending()) return false;
  if (verb == ReservationVerb::destroy) return true;
  return reservation.is_granted() || reservation.phase == ReservationPhase::proposed;
}

std::optional<Statement> obstacle_to(const State& state, const Caller& caller,
                                     const Reservation& reservation, ReservationVerb verb) {
  const auto number = reservation.number;
  if (reservation.request.maintenance)
    return Statement{AnswerCode::maintenance_by_plus, {{"reservation", number}}};
  if (!may_change(state.configuration(), caller, reservation.owner))
    return Statement{AnswerCode::no_right_to_delete_reservation,
                     {{"user", caller.user}, {"reservation", number}}};
  return pending_obstacle(state, caller, reservation, verb);
}

// One that has lapsed is gone for whoever asks now.
void drop_if_lapsed(State& state, ReservationKey key, Instant now) {
  const auto& reservation = *state.reservation(key);
  if (!reservation.proposed.empty() && lapses_at(reservation) <= now)
    drop_proposal(state, key, now);
}

} // namespace

Answer give_up(State& state, const Caller& caller, ReservationKey key, ReservationVerb verb,
               Instant now) {
  const auto number = state.reservation(key)->number;
  remember_removed(state, *state.reservation(key));
  Answer answer;
  answer.number = number.value;
  const std::vector<Detail> about{{"user", caller.user}, {"reservation", number}};
  if (state.reservation(key)->phase == ReservationPhase::proposed) {
    drop_proposal(state, key, now); // nothing of it was ever granted
    answer.say({verb == ReservationVerb::cancel ? AnswerCode::reservation_canceled
                                                : AnswerCode::reservation_deleted,
                about});
  } else if (verb == ReservationVerb::cancel) {
    cancel(state, key, text_of({AnswerCode::canceled_by, {{"user", caller.user}}}), now);
    answer.say({AnswerCode::reservation_canceled, about});
  } else {
    begin_removal(state, key, ReservationEvent::removed, false,
                  text_of({AnswerCode::reservation_deleted_by, {{"user", caller.user}}}), now);
    answer.say(removal(state, caller, key, number));
  }
  return answer;
}

namespace {

void append(Answer& all, Answer one) {
  for (auto& statement : one.statements) all.say(std::move(statement));
}

// What a target means, each once.
std::vector<ReservationKey> targets_of(State& state, const RemoveReservations& command, Instant now,
                                       Answer& answer) {
  std::vector<ReservationKey> keys;
  std::set<ReservationKey> selected;
  for (const auto& target : command.targets) {
    const auto number = parse_reservation_id(target);
    const auto* found = number ? state.reservation_by_number(*number) : nullptr;
    if (found) drop_if_lapsed(state, found->key, now);
    found = number ? state.reservation_by_number(*number) : nullptr;
    if (found && can_be_given_up(*found, command.verb)) {
      if (selected.insert(found->key).second) keys.push_back(found->key);
    } else if (found && found->is_over()) answer.refuse(is_over_already(*found));
    else answer.refuse({AnswerCode::no_such_reservation, {{"reservation", excerpt(target)}}});
  }
  return keys;
}

std::vector<ReservationKey> reservations_of(State& state, const RemoveReservations& command,
                                            Instant now) {
  std::vector<ReservationKey> keys;
  for (const auto& user : std::set<std::string>(command.users.begin(), command.users.end()))
    for (const auto key : state.occupancy().reservations_of.keys(user)) {
      drop_if_lapsed(state, key, now);
      const auto* one = state.reservation(key);
      if (one && !one->request.maintenance && can_be_given_up(*one, command.verb))
        keys.push_back(key);
    }
  return keys;
}

} // namespace

Answer remove_reservations(State& state, const Caller& caller, const RemoveReservations& command,
                           Instant now) {
  Answer answer;
  auto keys = targets_of(state, command, now, answer);
  const auto of_users = reservations_of(state, command, now);
  keys.insert(keys.end(), of_users.begin(), of_users.end());
  for (const auto key : keys) {
    const auto* reservation = state.reservation(key);
    if (!reservation) continue; // named and of an owner, too
    if (auto why = obstacle_to(state, caller, *reservation, command.verb)) {
      answer.refuse(std::move(*why));
      continue;
    }
    if (keys.size() == 1) answer.number = reservation->number.value;
    append(answer, give_up(state, caller, key, command.verb, now));
  }
  if (answer.statements.empty())
    answer.refuse({AnswerCode::no_reservations_of_users, {{"users", excerpt(command.users)}}});
  return answer;
}

} // namespace almanac::rules
