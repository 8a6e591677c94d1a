#include "core/planning/commands/alter_series.hpp"

#include "core/planning/altered_reservation.hpp"
#include "core/planning/commands/alter_reservation.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/series_change.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/planning/series_transitions.hpp"
#include "core/planning/site_consent.hpp"
#include "core/planning/texts.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

// What is to be changed: a series, or the rest of one from an occurrence on.
struct Target {
  ReservationNumber series;
  std::int64_t from = 0; ///< by the wall clock; 0: all of it
};

Result<Target, Answer> find_target(const State& state, const AlterReservation& command) {
  const auto number = command.number;
  if (!command.rest) return Target{number, 0};
  const auto* first = state.reservation_by_number(number);
  if (first && first->is_granted() && state.series(first->series))
    return Target{first->series, first->occurrence};
  const bool is_there = first || state.series(number);
  return Answer::refusal(
      {is_there ? AnswerCode::not_part_of_series : AnswerCode::no_such_reservation,
       {{"reservation", number}}});
}

Answer not_changed(Answer why, ReservationNumber number) {
  why.refuse({AnswerCode::reservation_not_changed, {{"reservation", number}}},
             std::max<std::int64_t>(1, why.exit_code));
  return why;
}

// It goes on as a series of its own, under a new number; the other one ends before.
void split(State& state, Series& next, const Target& target,
           const std::vector<ReservationKey>& moved, Instant now) {
  state.edit<Series>(target.series, [&](Series& ending) {
    ending.recurrence.until = target.from - 1;
    ending.due = std::min(ending.due, now);
    std::erase_if(ending.conflicts,
                  [&](const Conflict& one) { return one.occurrence >= target.from; });
  });
  state.name(next);
  next.origins.push_back(target.series);
  if (next.origins.size() > most_origins) {
    std::erase(next.deleted_origins, next.origins.front());
    next.origins.erase(next.origins.begin());
  }
  for (const auto key : moved)
    state.edit<Reservation>(key, [&](Reservation& one) { one.series = next.number; });
}

Answer carry_out(State& state, const Caller& caller, SeriesChange change, const Target& target,
                 Instant now) {
  Answer answer;
  auto& next = change.next;
  if (target.from != 0) split(state, next, target, change.occurrences, now);
  next.due = due_after(next, now);
  state.put(next);
  for (auto& what : hold(state, std::move(change.held))) answer.say(std::move(what));
  const auto why = text_of({AnswerCode::reservation_deleted_by, {{"user", caller.user}}});
  for (const auto key : change.vanishing)
    begin_removal(state, key, ReservationEvent::removed, false, why, now);
  for (const auto& one : change.kept)
    for (auto& statement : carry_out(state, caller, one, now).statements)
      if (statement.code != AnswerCode::reservation_modified)
        answer.statements.push_back(std::move(statement));
  std::vector<std::int64_t> numbers;
  for (const auto& one : change.added)
    numbers.push_back(state.reservation(grant(state, next, one, now))->number.value);
  bind_to_earlier(state, next.number, now);
  answer.number = next.number.value;
  answer.say(
      {AnswerCode::reservation_modified, {{"user", caller.user}, {"reservation", next.number}}});
  Statement count{AnswerCode::series_changed,
                  {{"kept", change.occurrences.size() - change.vanishing.size()},
                   {"added", numbers.size()},
                   {"gone", change.vanishing.size()}}};
  if (!numbers.empty()) count.details.emplace_back("numbers", print_numbers(numbers));
  answer.say(std::move(count));
  for (auto& remark : change.remarks) answer.warn(std::move(remark));
  return answer;
}

} // namespace

Answer alter_series(State& state, const Caller& caller, const AlterReservation& command,
                    Instant now) {
  const auto target = find_target(state, command);
  if (!target) return target.error();
  if (!state.series(target->series))
    return Answer::refusal({AnswerCode::no_such_reservation, {{"reservation", command.number}}});
  auto was = *state.series(target->series);
  if (!may_change(state.configuration(), caller, was.owner))
    return Answer::refusal({AnswerCode::no_right_to_change_reservation,
                            {{"user", caller.user}, {"reservation", command.number}}});
  std::erase_if(was.conflicts, [&](const Conflict& one) { return one.occurrence < target->from; });
  const auto own = occurrences_from(state, was.number, target->from);
  auto found = find_series_change(state, caller, was, own, command, now);
  if (found.refusal) return not_changed(std::move(*found.refusal), command.number);
  for (auto& one : found.change.kept) one.alone = false;
  if (auto why = writing_obstacle(state, found.change.held, command.number)) return *why;
  for (const auto& one : found.change.kept)
    if (auto why = writing_obstacle(state, one.held, command.number)) return *why;
  if (site_must_agree(state, HookEvent::change))
    return not_changed(Answer::refusal(site_is_asked_first(HookEvent::change, "a whole series")),
                       command.number);
  return carry_out(state, caller, std::move(found.change), *target, now);
}

} // namespace almanac::rules
