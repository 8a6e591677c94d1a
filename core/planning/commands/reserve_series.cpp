#include "core/planning/commands/reserve_series.hpp"

#include "core/planning/series_plan.hpp"
#include "core/planning/series_transitions.hpp"
#include "core/planning/site_consent.hpp"
#include "core/text/ranges.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

constexpr std::size_t most_listed = 25; // conflicts

void list_conflicts(const SeriesPlan& series, Answer& answer) {
  std::size_t count = 0;
  for (const auto& one : series.planned)
    if (!one.fits() && ++count <= most_listed) answer.warn(conflict_of(one));
  if (count > most_listed) answer.warn({AnswerCode::and_more, {{"count", count - most_listed}}});
}

// All or nothing: a limit that is reached is the reason, whatever else does not fit.
Answer refusal_of(const SeriesPlan& series) {
  Answer answer;
  list_conflicts(series, answer);
  std::int64_t code = 1;
  for (const auto& one : series.planned) code = std::max(code, one.exit_code);
  answer.refuse({AnswerCode::no_suitable_queues_for_reservation, {}}, code);
  return answer;
}

Series new_series(State& state, const Caller& caller, const Reserve& command,
                  const SeriesPlan& plan, Instant now) {
  Series series;
  state.name(series);
  series.owner = caller, series.submitted = now;
  series.request = command.request, series.recurrence = command.recurrence;
  series.decided = plan.all.last->time_since_epoch().count();
  for (const auto& one : plan.planned)
    if (!one.fits()) series.conflicts.push_back(kept_conflict(one));
  series.due = due_after(series, now);
  return series;
}

} // namespace

Answer reserve_series(State& state, const Caller& caller, const Reserve& command, Instant now) {
  if (site_must_agree(state, HookEvent::confirm))
    return Answer::refusal(site_is_asked_first(HookEvent::confirm, "-repeat"));
  const auto obstacles = command.explain ? Obstacles::in_full() : Obstacles();
  const auto plan = plan_series(state, caller, command, obstacles, now);
  if (!plan) return plan.error();
  const bool all_fit = plan->fitting() == plan->planned.size();
  if (!all_fit && !command.recurrence.waits) return refusal_of(*plan);
  const auto series = new_series(state, caller, command, *plan, now);
  state.put(series);
  std::vector<std::int64_t> numbers;
  Answer answer;
  answer.number = series.number.value;
  answer.say({AnswerCode::reservation_granted, {{"reservation", answer.number}}});
  std::vector<Statement> unhealthy;
  for (const auto& one : plan->planned) {
    if (!one.fits()) continue;
    const auto told = numbers.empty() ? std::optional(HookEvent::confirm) : std::nullopt;
    const auto& granted = *state.reservation(grant(state, series, one, now, told));
    numbers.push_back(granted.number.value);
    if (one.on_unhealthy && unhealthy.empty()) unhealthy = health(state, granted);
  }
  Statement count{AnswerCode::occurrences_granted, {{"count", numbers.size()}}};
  if (!numbers.empty()) count.details.emplace_back("numbers", print_numbers(numbers));
  answer.say(std::move(count));
  for (auto& remark : remarks_on(*plan, command.recurrence)) answer.warn(std::move(remark));
  list_conflicts(*plan, answer);
  if (auto warning = little_time_left(state, plan->planned.front().when.window))
    answer.warn(std::move(*warning));
  for (auto& bad : unhealthy)
    answer.warn({AnswerCode::reservation_unhealthy, {{"why", std::move(bad)}}});
  return answer;
}

} // namespace almanac::rules
