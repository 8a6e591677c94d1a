#include "core/planning/commands/job_commands.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/transitions.hpp"
#include "core/policy/standing.hpp"
#include "core/text/names.hpp"

#include <algorithm>

namespace almanac::rules {

std::string too_much_from(const std::string& number) {
  return "denied: one request changes at most 32 MB of jobs: job " + number +
         " and those after it are as they were; name fewer at a time";
}
std::string too_many_tasks_from(const std::string& number) {
  return "denied: more than " + std::to_string(SingleTasks::most) +
         " single tasks are named in one request: job " + number +
         " and those after it are as they were";
}

std::int64_t written_bytes(const State& state, JobKey key, const std::vector<std::int64_t>& tasks) {
  constexpr std::int64_t flat = 256;
  TextBytes texts;
  for (const auto number : tasks)
    describe(texts, const_cast<Task&>(*state.task({key, number}))); // reads only
  return texts.count + flat * static_cast<std::int64_t>(tasks.size());
}

Answer no_jobs_of(const std::vector<std::string>& users) {
  return Answer::refusal("There are no jobs registered for the following users: " + excerpt(users));
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
    return Answer::refusal("You have to specify a username or job ids");
  if (command.held_by_operator && !is_operator(state.configuration(), caller))
    return Answer::refusal("denied: \"" + caller.user +
                           "\" must be operator to change an operator hold");
  if (command.held_by_system && !is_manager(state.configuration(), caller))
    return Answer::refusal("denied: \"" + caller.user +
                           "\" must be manager to change a system hold");
  const auto selection = select_jobs(state, caller, command.targets, command.users);
  if (!selection) return Answer::refusal("denied: " + selection.what());
  for (const auto& target : selection->targets) {
    const auto number = to_string(state.job(target.key)->number);
    if (!may_change(state.configuration(), caller, state.job(target.key)->owner)) {
      answer.refuse(caller.user +
                    " - you do not have the necessary privileges to modify the job \"" + number +
                    "\"");
      continue;
    }
    if (!target.tasks.empty()) {
      answer.refuse("holds of single tasks are not built yet: job " + number);
      continue;
    }
    if (!set_holds(state, target.key, command)) {
      answer.refuse(too_much_from(number));
      break;
    }
    answer.lines.push_back({"modified hold of job " + number, false});
  }
  for (const auto& unknown : selection->unknown) {
    answer.refuse("denied: job \"" + unknown + "\" does not exist");
  }
  if (answer.lines.empty()) return no_jobs_of(command.users);
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
  if (!selection) return Answer::refusal("denied: " + selection.what());
  SingleTasks named;
  for (const auto& target : selection->targets) {
    const auto number = to_string(state.job(target.key)->number);
    if (!may_change(state.configuration(), caller, state.job(target.key)->owner)) {
      answer.refuse(caller.user +
                    " - you do not have the necessary privileges to clear the job \"" + number +
                    "\"");
      continue;
    }
    if (!named.take(*state.job(target.key), state.tally(target.key), target.tasks)) {
      answer.refuse(too_many_tasks_from(number));
      break;
    }
    const auto errors = meant_errors(state, target);
    if (errors.empty()) {
      answer.lines.push_back({"job " + number + " is not in error state", false});
    } else if (!state.may_write(target.key, written_bytes(state, target.key, errors))) {
      answer.refuse(too_much_from(number));
      break;
    } else {
      for (const auto task : errors) state.edit<Task>({target.key, task}, clear_error);
      answer.lines.push_back({caller.user + " - cleared error state of job " + number, false});
    }
  }
  for (const auto& unknown : selection->unknown) {
    answer.refuse("denied: job \"" + unknown + "\" does not exist");
  }
  return answer;
}

} // namespace almanac::rules
