#include "core/planning/commands/job_commands.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/transitions.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"

#include <algorithm>

namespace almanac::rules {

Statement too_much_from(JobNumber number) {
  return {AnswerCode::too_much_in_one_request, {{"job", number}}};
}
Statement too_many_tasks_from(JobNumber number) {
  return {AnswerCode::too_many_single_tasks, {{"limit", SingleTasks::most}, {"job", number}}};
}
Statement no_right_to(AnswerCode code, const Caller& caller, JobNumber number) {
  return {code, {{"user", caller.user}, {"job", number}}};
}
Statement no_such_job(const std::string& target) {
  return {AnswerCode::no_such_job, {{"job", target}}};
}

std::int64_t written_bytes(const State& state, JobKey key, const std::vector<std::int64_t>& tasks) {
  constexpr std::int64_t flat = 256;
  TextBytes texts;
  for (const auto number : tasks)
    describe(texts, const_cast<Task&>(*state.task({key, number}))); // reads only
  return texts.count + flat * static_cast<std::int64_t>(tasks.size());
}

Answer no_jobs_of(const std::vector<std::string>& users) {
  return Answer::refusal({AnswerCode::no_jobs_of_users, {{"users", excerpt(users)}}});
}

namespace {

// False where one request may not change so much.
bool set_holds(State& state, JobKey key, const ChangeHold& command) {
  const bool held = !command.release;
  const auto* before = state.job(key);
  const auto changes = [&](bool meant, bool is) { return meant && is != held; };
  if (!changes(command.held_by_user, before->held_by_user) &&
      !changes(command.held_by_operator, before->held_by_operator) &&
      !changes(command.held_by_system, before->held_by_system))
    return true;
  if (!state.may_write(key, kept_bytes(*before))) return false;
  state.edit<Job>(key, [&](Job& job) {
    if (command.held_by_user) job.held_by_user = held;
    if (command.held_by_operator) job.held_by_operator = held;
    if (command.held_by_system) job.held_by_system = held;
  });
  return true;
}

} // namespace

Answer change_hold(State& state, const Caller& caller, const ChangeHold& command) {
  Answer answer;
  if (command.targets.empty() && command.users.empty())
    return Answer::refusal({AnswerCode::users_or_jobs_needed, {}});
  if (command.held_by_operator && !is_operator(state.configuration(), caller))
    return Answer::refusal({AnswerCode::operator_hold_for_operators, {{"user", caller.user}}});
  if (command.held_by_system && !is_manager(state.configuration(), caller))
    return Answer::refusal({AnswerCode::system_hold_for_managers, {{"user", caller.user}}});
  const auto selection = select_jobs(state, caller, command.targets, command.users);
  if (!selection) return Answer::refusal({AnswerCode::denied, {{"why", selection.error()}}});
  for (const auto& target : selection->targets) {
    const auto number = state.job(target.key)->number;
    if (!may_change(state.configuration(), caller, state.job(target.key)->owner)) {
      answer.refuse(no_right_to(AnswerCode::no_right_to_modify_job, caller, number));
      continue;
    }
    if (!target.tasks.empty()) {
      answer.refuse({AnswerCode::no_holds_of_tasks, {{"job", number}}});
      continue;
    }
    if (!set_holds(state, target.key, command)) {
      answer.refuse(too_much_from(number));
      break;
    }
    answer.say({AnswerCode::hold_modified, {{"job", number}}});
  }
  for (const auto& unknown : selection->unknown) answer.refuse(no_such_job(unknown));
  if (answer.statements.empty()) return no_jobs_of(command.users);
  return answer;
}

namespace {

bool is_meant_error(const Task& task, const JobTarget& target) {
  return task.state == TaskState::error && selects(target.tasks, task.number);
}
std::vector<std::int64_t> meant_errors(const State& state, const JobTarget& target) {
  std::vector<std::int64_t> tasks;
  for (const auto& task : state.tasks_of(target.key))
    if (is_meant_error(task, target)) tasks.push_back(task.number);
  return tasks;
}
void clear_error(Task& task) { change_state(task, TaskEvent::cleared), task.reason.clear(); }

} // namespace

Answer clear_job_errors(State& state, const Caller& caller, const ClearJobErrors& command) {
  Answer answer;
  // Names and patterns mean everybody's jobs where the caller may change them.
  const auto users = is_operator(state.configuration(), caller) ? std::vector<std::string>{"*"}
                                                                : std::vector<std::string>();
  const auto selection = select_jobs(state, caller, command.targets, users);
  if (!selection) return Answer::refusal({AnswerCode::denied, {{"why", selection.error()}}});
  SingleTasks named;
  for (const auto& target : selection->targets) {
    const auto number = state.job(target.key)->number;
    if (!may_change(state.configuration(), caller, state.job(target.key)->owner)) {
      answer.refuse(no_right_to(AnswerCode::no_right_to_clear_job, caller, number));
      continue;
    }
    if (!named.take(*state.job(target.key), state.tally(target.key), target.tasks)) {
      answer.refuse(too_many_tasks_from(number));
      break;
    }
    const auto errors = meant_errors(state, target);
    if (errors.empty()) {
      answer.say({AnswerCode::job_without_error, {{"job", number}}});
    } else if (!state.may_write(target.key, written_bytes(state, target.key, errors))) {
      answer.refuse(too_much_from(number));
      break;
    } else {
      for (const auto task : errors) state.edit<Task>({target.key, task}, clear_error);
      answer.say({AnswerCode::job_error_cleared, {{"user", caller.user}, {"job", number}}});
    }
  }
  for (const auto& unknown : selection->unknown) answer.refuse(no_such_job(unknown));
  return answer;
}

} // namespace almanac::rules
