#include "core/planning/questions/change_preview.hpp"

#include "core/planning/reservation_change.hpp"

#include <algorithm>
#include <map>

namespace almanac::rules {

namespace {

Statement windows(const Window& was, const Window& next) {
  Statement statement{AnswerCode::window_stays, {{"start", next.start}, {"end", next.end}}};
  if (was == next) return statement;
  statement.code = AnswerCode::window_changes;
  statement.details.emplace_back("was_start", was.start);
  statement.details.emplace_back("was_end", was.end);
  return statement;
}

// What of these grants is in both, or in these only.
std::vector<Statement> listed(const std::vector<Grant>& grants, const Shape& other, bool common) {
  std::vector<Statement> list;
  for (const auto& grant : grants) {
    const auto both = std::min(grant.slots, other.slots_on(grant.instance));
    const auto slots = common ? both : grant.slots - both;
    if (slots > 0)
      list.push_back({AnswerCode::a_grant, {{"queue", grant.instance.text()}, {"slots", slots}}});
  }
  return list;
}

void say_grants(Answer& answer, AnswerCode code, std::vector<Statement> grants) {
  if (!grants.empty()) answer.say({code, {{"grants", std::move(grants)}}});
}

} // namespace

Answer preview(const State& state, const Caller& caller, const AlterReservation& command,
               Instant now) {
  if (command.rest || state.series(command.number))
    return Answer::refusal({AnswerCode::no_preview_of_series, {}});
  const auto found = find_change(state, caller, command, now);
  if (!found.change) return *found.refusal;
  const auto& change = *found.change;
  const auto& was = state.reservation(change.key)->shape;
  Answer answer;
  Statement would{AnswerCode::reservation_would_change, {{"reservation", command.number}}};
  if (found.refusal) would.details.emplace_back("option", "-f");
  answer.say(std::move(would));
  answer.say(windows(was.window, change.shape.window));
  say_grants(answer, AnswerCode::grants_kept, listed(was.grants, change.shape, true));
  say_grants(answer, AnswerCode::grants_new, listed(change.shape.grants, was, false));
  say_grants(answer, AnswerCode::grants_given_up, listed(was.grants, change.shape, false));
  if (!found.refusal) {
    for (auto& what : consequences(state, change)) answer.say(std::move(what));
    return answer;
  }
  for (const auto& why : found.refusal->statements) answer.statements.push_back(why);
  answer.exit_code = found.refusal->exit_code;
  return answer;
}

} // namespace almanac::rules
