#include "core/planning/commands/scheduler_commands.hpp"

#include "core/policy/standing.hpp"

namespace almanac::rules {

Answer control_scheduler(State& state, const Caller& caller, const ControlScheduler& command) {
  auto answer = for_managers(state.configuration(), caller);
  if (answer.exit_code != 0) return answer;
  const bool is_off = state.counters().passes_off;
  const auto say = [&](AnswerCode code) {
    answer.say({code, {{"user", caller.user}, {"host", caller.host}}});
    return answer;
  };
  switch (command.action) {
  case SchedulerAction::run: return say(AnswerCode::scheduler_triggered);
  case SchedulerAction::stop:
    if (is_off) return Answer::refusal({AnswerCode::scheduler_already_so, {{"state", "is off"}}});
    state.stop_passes(caller.user);
    return say(AnswerCode::scheduler_stopped);
  case SchedulerAction::start:
    if (!is_off) return Answer::refusal({AnswerCode::scheduler_already_so, {{"state", "runs"}}});
    state.switch_passes(false);
    return say(AnswerCode::scheduler_started);
  }
  return answer;
}

} // namespace almanac::rules
