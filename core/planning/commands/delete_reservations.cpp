#include "core/planning/commands/delete_reservations.hpp"

#include "core/planning/commands/delete_series.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/maintenance.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/series_transitions.hpp"
#include "core/planning/tasks_inside.hpp"
#include "core/planning/texts.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <set>

namespace almanac::rules {

namespace {

const Reservation* find_by_id(const State& state, const std::string& target) {
  const auto number = parse_reservation_id(target);
  return number ? state.reservation_by_number(*number) : nullptr;
}

std::optional<Statement> matching_obstacle(const State& state, const DeleteReservations& command) {
  auto names = command.targets;
  std::erase_if(names, [&](const std::string& target) { return find_by_id(state, target); });
  const auto& all = state.occupancy().reservations_of;
  const auto count = static_cast<std::int64_t>(state.records().all<Reservation>().size());
  NamesToMatch to_match(count, all.bytes_of_owners(), all.bytes_of_names());
  for (const auto& series : Listing<Series>(state.records().all<Series>()))
    to_match.add(series.owner, series.request.name);
  return to_match.obstacle(command.users, names);
}

// Those that names and -u may mean, ascending: of single users their own are enough.
std::vector<ReservationKey> candidates(const State& state, const Caller& caller,
                                       const DeleteReservations& command) {
  const auto& own = state.occupancy().reservations_of;
  const auto means_one = [](const std::string& user) {
    return !is_pattern(user) && !user.starts_with('@') && user.find('\\') == std::string::npos;
  };
  std::vector<ReservationKey> keys;
  if (!std::all_of(command.users.begin(), command.users.end(), means_one)) {
    for (const auto& reservation : state.reservations()) keys.push_back(reservation.key);
    return keys;
  }
  std::set<std::string> users(command.users.begin(), command.users.end());
  if (users.erase("$user") > 0 || command.users.empty()) users.insert(caller.user);
  for (const auto& user : users) {
    const auto of_user = own.keys(user);
    keys.insert(keys.end(), of_user.begin(), of_user.end());
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

// The keys of those that are meant, each once; what means none, and no series, is refused.
std::vector<ReservationKey> select_reservations(const State& state, const Caller& caller,
                                                const DeleteReservations& command,
                                                const SeriesSelection& series, Answer& answer) {
  std::vector<ReservationKey> keys;
  std::set<ReservationKey> selected;
  const auto select = [&](const Reservation& reservation) {
    if (selected.insert(reservation.key).second) keys.push_back(reservation.key);
    return true;
  };
  const auto listed = [&](const Reservation& r) {
    return r.phase != ReservationPhase::expired &&
           (command.users.empty() ||
            owner_listed(state.configuration(), command.users, r.owner, caller));
  };
  const bool all_by_id =
      !command.targets.empty() &&
      std::all_of(command.targets.begin(), command.targets.end(),
                  [&](const std::string& target) { return find_by_id(state, target); });
  const auto named = all_by_id ? std::vector<ReservationKey>() : candidates(state, caller, command);
  if (command.targets.empty())
    for (const auto key : named)
      if (const auto& reservation = *state.reservation(key); listed(reservation))
        select(reservation);
  for (const auto& target : command.targets) {
    // R<id> names it as a queue would be named (ruling in spec/rulings.md).
    const auto number = parse_reservation_id(target);
    if (!number && !target.empty() && target.front() >= '0' && target.front() <= '9') {
      answer.refuse({AnswerCode::name_with_digit, {{"name", excerpt(target)}}});
      continue;
    }
    if (number && !*number) {
      answer.refuse({AnswerCode::users_or_reservations_needed, {}});
      continue;
    }
    bool found = false;
    if (const auto* meant = find_by_id(state, target)) {
      found = listed(*meant) && select(*meant);
    } else
      for (const auto key : named) {
        const auto& reservation = *state.reservation(key);
        const bool mine =
            listed(reservation) && (!command.users.empty() || owns(caller, reservation.owner));
        if (mine && matches_pattern(target, reservation.request.name)) found = select(reservation);
      }
    if (!found && !series.named.contains(target))
      answer.refuse({AnswerCode::no_such_reservation, {{"reservation", excerpt(target)}}});
  }
  return keys;
}

} // namespace

bool may_interfere(const State& state, const Caller& caller, const Reservation& reservation) {
  if (reservation.proposed.empty() || is_manager(state.configuration(), caller)) return true;
  return reservation.phase == ReservationPhase::proposed && owns(caller, requester(reservation));
}

Statement operation_pending(ReservationNumber number) {
  return {AnswerCode::operation_pending, {{"reservation", number}}};
}

bool has_tasks_to_stop(const State& state, ReservationKey key) {
  bool any = false;
  if (const auto* reservation = state.reservation(key))
    each_task_inside(state, *reservation, [&](const Job&, const Task&) { any = true; });
  return any;
}

Statement removal(const State& state, const Caller& caller, ReservationKey key,
                  ReservationNumber number) {
  return {has_tasks_to_stop(state, key) ? AnswerCode::reservation_deletion_registered
                                        : AnswerCode::reservation_deleted,
          {{"user", caller.user}, {"reservation", number}}};
}

Answer delete_reservations(State& state, const Caller& caller, const DeleteReservations& command,
                           Instant now) {
  if (command.targets.empty() && command.users.empty())
    return Answer::refusal({AnswerCode::users_or_reservations_needed, {}});
  for (const auto& user : command.users)
    if (is_pattern(user) && !is_manager(state.configuration(), caller))
      return Answer::refusal({AnswerCode::all_reservations_for_managers, {{"user", caller.user}}});
  if (auto why = matching_obstacle(state, command))
    return Answer::refusal({AnswerCode::denied, {{"why", *why}}});
  if (command.rest) return delete_rest(state, caller, command, now);
  Answer answer;
  const auto series = select_series(state, caller, command);
  const auto keys = select_reservations(state, caller, command, series, answer);
  const auto with_series = delete_series(state, caller, command, series, answer, now);
  for (const auto key : keys) {
    const auto* reservation = state.reservation(key);
    if (!reservation || with_series.contains(reservation->series)) continue;
    const auto number = reservation->number;
    if (reservation->request.maintenance)
      if (const auto why = maintenance_obstacle(state.configuration(), caller)) {
        answer.refuse(why->statements.front());
        continue;
      }
    if (!may_change(state.configuration(), caller, reservation->owner)) {
      answer.refuse({AnswerCode::no_right_to_delete_reservation,
                     {{"user", caller.user}, {"reservation", number}}});
      continue;
    }
    if (!may_interfere(state, caller, *reservation)) {
      answer.refuse(operation_pending(number));
      continue;
    }
    remember_removed(state, *reservation);
    if (is_offer(*reservation)) drop_proposal(state, key, now); // nobody was told of it
    else
      begin_removal(state, key, ReservationEvent::removed, command.force,
                    text_of({AnswerCode::reservation_deleted_by, {{"user", caller.user}}}), now);
    answer.say(removal(state, caller, key, number));
  }
  if (answer.statements.empty())
    answer.refuse({AnswerCode::no_reservations_of_users, {{"users", excerpt(command.users)}}});
  return answer;
}

} // namespace almanac::rules
