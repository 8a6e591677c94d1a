#include "core/planning/commands/delete_series.hpp"

#include "core/planning/commands/delete_reservations.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/planning/series_seeker.hpp"
#include "core/planning/series_transitions.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

bool is_id_of(const std::string& target, const Series& series) {
  const auto number = parse_reservation_id(target);
  return number && *number == series.number;
}

// A name without -u means the caller's own, as of reservations.
bool is_named(const std::string& target, const Series& series, const Caller& caller,
              const DeleteReservations& command) {
  if (parse_reservation_id(target)) return false;
  return (!command.users.empty() || owns(caller, series.owner)) &&
         matches_pattern(target, series.request.name);
}

std::optional<Statement> obstacle(const State& state, const Caller& caller, const Caller& owner,
                                  ReservationNumber number,
                                  const std::vector<ReservationKey>& keys) {
  if (!may_change(state.configuration(), caller, owner))
    return Statement{AnswerCode::no_right_to_delete_reservation,
                     {{"user", caller.user}, {"reservation", number}}};
  for (const auto key : keys)
    if (const auto& one = *state.reservation(key); !may_interfere(state, caller, one))
      return operation_pending(one.number);
  return std::nullopt;
}

std::string deleted_by(const Caller& caller) {
  return text_of({AnswerCode::reservation_deleted_by, {{"user", caller.user}}});
}

// As in a deleted reservation (spec/reservations.md section 11.4); what runs of them ends with its own.
void drop_left_out(State& state, const std::vector<JobKey>& jobs, const std::string& why,
                   Instant now) {
  LeftOut left_out(state, now);
  for (const auto key : jobs) {
    const auto& job = *state.job(key);
    if (!left_out.has_of_deleted(job)) continue;
    if (state.tally(key).active > 0) {
      drop_all_waiting(state, key, why, now);
      continue;
    }
    tell_of_waiting(state, job, why, now);
    erase_job(state, key);
  }
}

// True if tasks of any still have to stop.
bool remove(State& state, const Caller& caller, const DeleteReservations& command,
            const std::vector<ReservationKey>& keys, Instant now) {
  const auto why = deleted_by(caller);
  for (const auto key : keys)
    begin_removal(state, key, ReservationEvent::removed, command.force, why, now);
  return std::any_of(keys.begin(), keys.end(),
                     [&](ReservationKey key) { return has_tasks_to_stop(state, key); });
}

} // namespace

SeriesSelection select_series(const State& state, const Caller& caller,
                              const DeleteReservations& command) {
  SeriesSelection selection;
  for (const auto& series : Listing<Series>(state.records().all<Series>())) {
    if (!command.users.empty() &&
        !owner_listed(state.configuration(), command.users, series.owner, caller))
      continue;
    bool is_meant = command.targets.empty();
    for (const auto& target : command.targets)
      if (is_id_of(target, series) || is_named(target, series, caller, command))
        selection.named.insert(target), is_meant = true;
    if (is_meant) selection.numbers.push_back(series.number);
  }
  return selection;
}

std::set<ReservationNumber> delete_series(State& state, const Caller& caller,
                                          const DeleteReservations& command,
                                          const SeriesSelection& selection, Answer& answer,
                                          Instant now) {
  std::set<ReservationNumber> done;
  for (const auto number : selection.numbers) {
    done.insert(number);
    const auto keys = occurrences_from(state, number, 0);
    if (auto why = obstacle(state, caller, state.series(number)->owner, number, keys)) {
      answer.refuse(std::move(*why));
      continue;
    }
    const auto jobs = jobs_waiting_for(state, *state.series(number));
    state.erase<Series>(number);
    close_to_new_jobs(state, number);
    drop_left_out(state, jobs, deleted_by(caller), now);
    const bool some_stay = remove(state, caller, command, keys, now);
    answer.say({some_stay ? AnswerCode::series_deletion_registered : AnswerCode::series_deleted,
                {{"user", caller.user}, {"reservation", number}, {"count", keys.size()}}});
  }
  return done;
}

namespace {

// Why the target is no occurrence of a series that goes on.
Statement no_occurrence(const State& state, const std::string& target) {
  const auto number = parse_reservation_id(target);
  if (!number) return {AnswerCode::rest_needs_id, {}};
  if (state.reservation_by_number(*number) || state.series(*number))
    return {AnswerCode::not_part_of_series, {{"reservation", *number}}};
  return {AnswerCode::no_such_reservation, {{"reservation", excerpt(target)}}};
}

const Reservation* find_occurrence(const State& state, const std::string& target) {
  const auto number = parse_reservation_id(target);
  const auto* found = number ? state.reservation_by_number(*number) : nullptr;
  return found && found->is_granted() && state.series(found->series) ? found : nullptr;
}

void end_before(State& state, ReservationNumber number, std::int64_t start, Instant now) {
  state.edit<Series>(number, [&](Series& ending) {
    ending.recurrence.until = start - 1;
    std::erase_if(ending.conflicts, [&](const Conflict& c) { return c.occurrence >= start; });
    ending.due = std::min(ending.due, now);
  });
}

} // namespace

Answer delete_rest(State& state, const Caller& caller, const DeleteReservations& command,
                   Instant now) {
  if (command.targets.empty()) return Answer::refusal({AnswerCode::rest_needs_id, {}});
  Answer answer;
  for (const auto& target : command.targets) {
    const auto* first = find_occurrence(state, target);
    if (!first) {
      answer.refuse(no_occurrence(state, target));
      continue;
    }
    const auto start = first->occurrence;
    const auto& series = *state.series(first->series);
    const auto number = series.number;
    const auto keys = occurrences_from(state, number, start);
    if (auto why = obstacle(state, caller, series.owner, first->number, keys)) {
      answer.refuse(std::move(*why));
      continue;
    }
    end_before(state, number, start, now);
    remove(state, caller, command, keys, now);
    answer.say({AnswerCode::series_ends_before,
                {{"reservation", number}, {"occurrence", print_wall_clock(start)}}});
  }
  return answer;
}

} // namespace almanac::rules
