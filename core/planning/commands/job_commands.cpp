#include "core/planning/commands/job_commands.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"
#include "core/text/ranges.hpp"

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
Statement no_such_task(const Job& job, const std::vector<TaskRange>& ranges) {
  return {AnswerCode::no_such_task, {{"job", job.number}, {"task", ranges.front().first}}};
}

Statement whole_job(const Job& job) { return {AnswerCode::the_job, {{"job", job.number}}}; }
Statement tasks_of(const Job& job, const std::vector<std::int64_t>& tasks) {
  if (!job.request->tasks.is_array()) return whole_job(job);
  return {tasks.size() == 1 ? AnswerCode::the_task : AnswerCode::the_tasks,
          {{"job", job.number}, {"tasks", print_tasks(tasks)}}};
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

} // namespace almanac::rules
