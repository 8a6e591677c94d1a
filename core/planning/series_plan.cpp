#include "core/planning/series_plan.hpp"

#include "core/matching/reservation_places.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

PlannedOccurrence refused(const Occurrence& when, Answer answer) {
  return {
      when, {}, false, std::move(answer.statements), std::max<std::int64_t>(1, answer.exit_code)};
}

PlannedOccurrence plan_one(const State& state, const Caller& owner,
                           const ReservationRequest& request, const Demand& demand,
                           const Occurrence& when, const std::vector<InstanceName>& preferred,
                           const PlannedBeside& beside, const Obstacles& obstacles, Instant now) {
  if (auto why = number_obstacle(state, owner, beside.count)) return refused(when, *why);
  const auto found = find_place(state, demand, when.window, now, preferred, obstacles);
  if (!found.assignment) {
    PlannedOccurrence conflict{when, {}, false, found.obstacles.list(), 1};
    return conflict;
  }
  auto shape = shape_of(state.configuration(), request, when.window, *found.assignment);
  if (auto why = slot_hours_obstacle(state, owner, owner, shape, nullptr, now, beside.slot_seconds))
    return refused(when, *why);
  return {when, std::move(shape), found.on_unhealthy};
}

} // namespace

std::vector<PlannedOccurrence> plan(const State& state, const Caller& owner,
                                    const ReservationRequest& request,
                                    const std::vector<Occurrence>& list,
                                    std::vector<InstanceName> preferred, const Obstacles& obstacles,
                                    Instant now, PlannedBeside beside) {
  std::vector<PlannedOccurrence> all;
  const auto demand = demand_of_reservation(state, owner, request, NamedQueues::may_be_gone);
  for (const auto& when : list) {
    if (!demand) {
      all.push_back(refused(when, Answer::refusal(demand.error())));
      continue;
    }
    all.push_back(
        plan_one(state, owner, request, *demand, when, preferred, beside, obstacles, now));
    const auto& one = all.back();
    if (!one.fits()) continue;
    ++beside.count;
    beside.slot_seconds += slot_seconds(one.shape.slots(), one.shape.window, now);
    preferred.clear();
    for (const auto& grant : one.shape.grants) preferred.push_back(grant.instance);
  }
  return all;
}

std::size_t SeriesPlan::fitting() const {
  return static_cast<std::size_t>(
      std::count_if(planned.begin(), planned.end(), [](const auto& one) { return one.fits(); }));
}

TimeZone zone_of(const Recurrence& recurrence) { return {recurrence.zone_changes}; }

namespace {

std::string wall_clock(std::chrono::local_seconds at) {
  return print_wall_clock(at.time_since_epoch().count());
}

Statement overlap_of(const Occurrence& one, const Occurrence& next, const Recurrence& recurrence) {
  Statement overlap{AnswerCode::occurrences_overlap,
                    {{"occurrence", wall_clock(one.at)},
                     {"seconds", (one.window.end - next.window.start).seconds}}};
  if (recurrence.ends_at == 0) overlap.details.emplace_back("option", "-e");
  return overlap;
}

} // namespace

std::optional<Statement> overlap_within(const std::vector<Occurrence>& list,
                                        const Recurrence& recurrence) {
  const auto later = first_overlap(list);
  if (!later) return std::nullopt;
  return overlap_of(list[*later - 1], list[*later], recurrence);
}

Result<SeriesPlan, Answer> plan_series(const State& state, const Caller& caller,
                                       const Reserve& command, const Obstacles& obstacles,
                                       Instant now) {
  const auto& [request, recurrence] = std::tie(command.request, command.recurrence);
  if (auto obstacle = simple_obstacle(state, caller, request, true)) return *obstacle;
  if (recurrence.ends_at == 0 && (request.duration.seconds <= 0 || request.duration.is_endless()))
    return Answer::refusal({AnswerCode::end_or_duration_missing, {}});
  if (auto demand = demand_of_reservation(state, caller, request); !demand)
    return Answer::refusal(demand.error());
  SeriesPlan series;
  series.before = now + series_horizon;
  series.all = occurrences_of(repetition_of(recurrence, request.duration), zone_of(recurrence),
                              series.before, most_occurrences);
  series.rest = rest_behind(series.all, recurrence, request.duration, series.before);
  const auto& list = series.all.list;
  if (list.empty())
    return Answer::refusal(
        {AnswerCode::no_occurrence_left, {{"days", series_horizon.seconds / 86400}}});
  if (list.front().window.start < now) return Answer::refusal({AnswerCode::start_in_the_past, {}});
  if (auto overlap = overlap_within(list, recurrence)) return Answer::refusal(std::move(*overlap));
  series.planned = plan(state, caller, request, list, {}, obstacles, now);
  return series;
}

std::optional<Statement> rest_behind(const Occurrences& all, const Recurrence& recurrence,
                                     Duration length, Instant before) {
  if (!all.last) return std::nullopt;
  const auto behind =
      occurrences_of(repetition_of(recurrence, length), zone_of(recurrence), before, 1, *all.last);
  if (!behind.last) return std::nullopt;
  return Statement{AnswerCode::occurrences_left_for_later,
                   {{"count", most_occurrences}, {"occurrence", wall_clock(*all.last)}}};
}

std::vector<Statement> remarks_on(const SeriesPlan& series, const Recurrence& recurrence) {
  std::vector<Statement> remarks;
  auto first = series.all.list.front().at;
  if (!series.all.skipped.empty()) first = std::min(first, series.all.skipped.front());
  if (first.time_since_epoch().count() != recurrence.first)
    remarks.push_back({AnswerCode::first_occurrence, {{"occurrence", wall_clock(first)}}});
  for (const auto at : series.all.dropped)
    remarks.push_back({AnswerCode::occurrence_dropped, {{"occurrence", wall_clock(at)}}});
  if (series.rest) remarks.push_back(*series.rest);
  for (auto& unused : unused_skips(series.all, -1, series.before))
    remarks.push_back(std::move(unused));
  return remarks;
}

std::vector<Statement> unused_skips(const Occurrences& all, std::int64_t from, Instant before) {
  std::vector<Statement> unused;
  if (all.list.size() + all.skipped.size() >= most_occurrences) return unused; // more may come
  for (const auto day : all.not_skipped)
    if (const std::chrono::local_seconds midnight = day;
        midnight.time_since_epoch().count() > from &&
        midnight.time_since_epoch().count() < before.seconds)
      unused.push_back(
          {AnswerCode::nothing_to_skip, {{"day", wall_clock(midnight).substr(0, 10)}}});
  return unused;
}

Statement conflict_of(const PlannedOccurrence& planned) {
  return {AnswerCode::occurrence_conflicts,
          {{"occurrence", wall_clock(planned.when.at)}, {"why", planned.why}}};
}

} // namespace almanac::rules
