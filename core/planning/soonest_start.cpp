#include "core/planning/soonest_start.hpp"

#include "core/matching/changed_places.hpp"
#include "core/matching/summed_obstacles.hpp"
#include "core/planning/alternative_search.hpp"
#include "core/planning/proposals.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

Result<Instant, Answer> first_start(const Snapshot& state, const Demand& demand, Duration length,
                                    Instant earliest, Instant latest_end, Instant now) {
  if (latest_end == Instant{}) latest_end = now + reservation_horizon;
  FeasibleStarts starts(state, demand, length, {std::max(now, earliest), latest_end - length}, now);
  for (int looks = 0; starts.ranges().empty() && looks < most_looks_of_input; ++looks)
    if (!starts.look(1)) break;
  if (!starts.ranges().empty()) return starts.ranges().front().first;
  return Answer::refusal({AnswerCode::no_start_before, {{"latest", latest_end}}});
}

bool is_past(Instant end, Instant now) { return end != Instant{} && end <= now; }

// It could begin then, if there were room.
Answer with_reasons(const Snapshot& state, const Reserve& command, const Demand& demand,
                    const Answer& refusal, Instant now) {
  const auto start = std::max(now, command.request.start);
  const auto found =
      find_for(state, command, demand, {start, start + command.request.duration}, now);
  Answer answer;
  if (!found.assignment)
    for (auto& reason : summed_up(found.obstacles)) answer.warn(std::move(reason));
  for (const auto& statement : refusal.statements) answer.refuse(statement, refusal.exit_code);
  return answer;
}

} // namespace

Result<Window, Statement> asked_window(const ReservationRequest& request, Instant now) {
  const auto length = request.duration;
  if (!request.asap || length.seconds <= 0 || length.is_endless())
    return requested_window(request, now);
  if (is_past(request.end, now)) return Statement{AnswerCode::end_in_the_past, {}};
  auto start = std::max(now, request.start);
  if (request.end != Instant{}) start = std::max(start, request.end - length);
  return Window{start, start + length};
}

Result<Reserve, Answer> with_start(const Snapshot& state, const Caller& caller, Reserve command,
                                   Instant now) {
  auto& request = command.request;
  if (!request.asap) return command;
  if (request.duration.seconds <= 0 || request.duration.is_endless()) {
    request.asap = false; // it has no window at any time
    return command;
  }
  const auto demand = demand_of_reservation(state, caller, request);
  if (!demand) return Answer::refusal(demand.error());
  if (is_past(request.end, now)) return Answer::refusal({AnswerCode::end_in_the_past, {}});
  const auto start = first_start(state, *demand, request.duration, request.start, request.end, now);
  if (!start) return with_reasons(state, command, *demand, start.error(), now);
  request.start = *start;
  request.end = {}, request.asap = false;
  return command;
}

Result<ReservationRequest, Answer> with_start(const State& state, const Reservation& own,
                                              const Demand& demand, ReservationRequest times,
                                              Instant now) {
  if (own.phase == ReservationPhase::running)
    return Answer::refusal({AnswerCode::start_has_passed, {}});
  if (!times.has_duration) times.duration = own.shape.window.length(), times.has_duration = true;
  if (times.duration.seconds <= 0 || times.duration.is_endless())
    return Answer::refusal({AnswerCode::end_or_duration_missing, {}});
  if (is_past(times.end, now)) return Answer::refusal({AnswerCode::end_in_the_past, {}});
  Assumption without(state);
  set_free(without, own);
  const auto start = first_start(without.look(), demand, times.duration, now, times.end, now);
  if (!start) return start.error();
  times.start = *start, times.end = {}, times.asap = false;
  return times;
}

Statement start_of(const Shape& shape) {
  std::vector<Statement> grants;
  for (const auto& grant : shape.grants)
    grants.push_back(
        {AnswerCode::a_grant, {{"queue", grant.instance.text()}, {"slots", grant.slots}}});
  return {AnswerCode::reservation_starts,
          {{"start", shape.window.start}, {"grants", std::move(grants)}}};
}

} // namespace almanac::rules
