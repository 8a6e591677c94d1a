#include "core/planning/soonest_start.hpp"

#include "core/planning/alternative_search.hpp"

namespace almanac::rules {

Result<Reserve, Answer> with_start(const State& state, const Caller& caller, Reserve command,
                                   Instant now) {
  auto& request = command.request;
  if (!request.asap) return command;
  if (request.duration.seconds <= 0 || request.duration.is_endless()) {
    request.asap = false; // it has no window at any time
    return command;
  }
  const auto demand = demand_of_reservation(state, caller, request);
  if (!demand) return Answer::refusal(demand.error());
  const bool has_end = request.end != Instant{};
  const auto latest = has_end ? request.end - request.duration : now + reservation_horizon;
  FeasibleStarts starts(state, *demand, request.duration, {std::max(now, request.start), latest},
                        now);
  for (int looks = 0; starts.ranges().empty() && looks < most_looks_of_input; ++looks)
    if (!starts.look(1)) break;
  if (starts.ranges().empty())
    return Answer::refusal(
        {AnswerCode::no_start_before, {{"latest", has_end ? request.end : latest}}});
  request.start = starts.ranges().front().first;
  request.end = {}, request.asap = false;
  return command;
}

} // namespace almanac::rules
