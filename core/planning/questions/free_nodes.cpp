#include "core/planning/questions/free_nodes.hpp"

#include "core/matching/node_places.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/planning/proposals.hpp"
#include "core/policy/standing.hpp"
#include "core/text/words.hpp"

namespace almanac::rules {

namespace {

Answer answer_of(const State& state, const FindNodes& asked, Instant now) {
  const auto& caller = asked.caller;
  auto request = asked.request;
  begin_now(request, now);
  if (auto why = host_obstacle(state.configuration(), caller, Reserve{request}))
    return Answer::refusal(*why);
  if (auto why = simple_obstacle(state, caller, request, true)) return *why;
  const auto window = requested_window(request, now);
  if (!window) return Answer::refusal(window.error());
  const auto demand = demand_of_reservation(state, caller, request);
  if (!demand) return Answer::refusal(demand.error());
  const auto nodes = available_nodes(state, *demand, *window, now);
  Answer answer;
  answer.number = static_cast<std::int64_t>(nodes.size());
  Statement found{AnswerCode::nodes_available, {{"count", nodes.size()}}};
  if (!nodes.empty()) found.details.emplace_back("nodes", join(nodes, ","));
  answer.say(std::move(found));
  return answer;
}

} // namespace

std::unique_ptr<Answering> free_nodes(const State& state, const FindNodes& asked, Instant now) {
  auto answer = answer_of(state, asked, now);
  explain_standing(state.configuration(), asked.caller, answer);
  return std::make_unique<Answered>(std::move(answer));
}

} // namespace almanac::rules
