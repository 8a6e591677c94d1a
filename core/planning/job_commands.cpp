#include "core/planning/rules.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/selection.hpp"
#include "core/text/names.hpp"
#include "core/text/task_numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

// A job that is no array is its own task 1.
bool selects(const std::vector<TaskRange>& tasks, std::int64_t task) {
  return tasks.empty() || std::any_of(tasks.begin(), tasks.end(), [&](auto& range) {
           return range.contains(std::max<std::int64_t>(1, task));
         });
}

// The tasks of a job that are meant, in ascending order: those waiting, then those active.
struct Chosen {
  std::vector<std::int64_t> waiting, active;
};
Chosen choose(const Job& job, const std::vector<TaskRange>& tasks) {
  Chosen chosen;
  const bool all = tasks.empty() || (!job.request.tasks.is_array() && selects(tasks, 0));
  for (const auto& range : job.fresh)
    for (const auto& wanted : all ? std::vector{range} : tasks)
      for (const auto task : TaskNumbers(wanted.count() < range.count() ? wanted : range))
        if (range.contains(task) && wanted.contains(task)) chosen.waiting.push_back(task);
  for (const auto& task : job.tasks)
    if (selects(tasks, task.number))
      (task.is_active() ? chosen.active : chosen.waiting).push_back(task.number);
  std::sort(chosen.waiting.begin(), chosen.waiting.end());
  chosen.waiting.erase(std::unique(chosen.waiting.begin(), chosen.waiting.end()),
                       chosen.waiting.end());
  return chosen;
}

// How many steps choose() takes.
std::int64_t steps_to_choose(const Job& job, const std::vector<TaskRange>& tasks) {
  std::int64_t steps = 0;
  for (const auto& range : job.fresh) {
    if (tasks.empty()) steps += range.count();
    for (const auto& wanted : tasks) steps += 1 + std::min(wanted.count(), range.count());
  }
  return steps +
         static_cast<std::int64_t>(job.tasks.size() * std::max<std::size_t>(1, tasks.size()));
}

std::string task_words(std::int64_t number, const std::vector<std::int64_t>& tasks) {
  if (tasks.size() == 1)
    return "job-array task " + std::to_string(number) + "." + std::to_string(tasks.front());
  return "job-array tasks " + print_tasks(tasks) + " of job " + std::to_string(number);
}

// Single tasks are looked at one by one while everybody waits, and what is left of an array is kept
// as ranges.
constexpr std::int64_t most_single_tasks = 1'000'000; // in one request, as often as it names them
constexpr std::size_t most_ranges_left = 1'000;       // of a job

bool is_waiting(const Job& job) {
  return std::none_of(job.tasks.begin(), job.tasks.end(),
                      [](const Task& task) { return task.is_active(); });
}

// Takes no longer for an array of many tasks.
void delete_waiting_job(State& state, const Caller& caller, std::int64_t key, Answer& answer) {
  const auto& before = *state.job(key);
  answer.lines.push_back(
      {caller.user + " has deleted job " + std::to_string(before.number), false});
  mail(state, Occasion::job_aborted, before, 0, not_started("deleted by " + caller.user));
  auto& job = state.edit_job(key);
  job.fresh.clear(), job.tasks.clear();
  erase_if_finished(state, key);
}

void delete_one(State& state, const Caller& caller, const JobTarget& target,
                const DeleteJobs& command, Instant now, std::int64_t& may_be_looked_at,
                Answer& answer) {
  const auto* job = state.job(target.key);
  const auto number = job->number;
  const bool array = job->request.tasks.is_array();
  const auto ranges = target.tasks.empty() ? command.tasks : target.tasks;
  if (ranges.empty() && is_waiting(*job))
    return delete_waiting_job(state, caller, target.key, answer);
  const auto refuse = [&](const std::string& why) {
    answer.refuse("denied: job " + std::to_string(number) + ": " + why);
  };
  const auto steps = steps_to_choose(*job, ranges);
  // The whole of one job, however long, can be deleted.
  if (may_be_looked_at <= 0 || (!ranges.empty() && steps > may_be_looked_at))
    return refuse("more than " + std::to_string(most_single_tasks) +
                  " single tasks are named in one request");
  may_be_looked_at -= steps;
  const auto chosen = choose(*job, ranges);
  if (array && !ranges.empty() &&
      tasks_without(job->fresh, chosen.waiting).size() >
          std::max(most_ranges_left, job->fresh.size()))
    return refuse("what is left of its tasks would be more than " +
                  std::to_string(most_ranges_left) + " ranges");
  if (chosen.waiting.empty() && chosen.active.empty()) {
    answer.refuse("denied: task \"" + std::to_string(number) + "." +
                  std::to_string(ranges.front().first) + "\" does not exist");
    return;
  }
  const bool whole = ranges.empty() || !array;
  const auto words_for = [&](const std::vector<std::int64_t>& tasks, const char* plain) {
    return whole && (chosen.active.empty() || chosen.waiting.empty() || !array)
               ? plain + std::to_string(number)
               : task_words(number, tasks);
  };
  if (!chosen.waiting.empty())
    answer.lines.push_back(
        {caller.user + " has deleted " + words_for(chosen.waiting, "job "), false});
  if (!chosen.active.empty()) {
    if (command.force)
      answer.lines.push_back(
          {"warning: " + caller.user + " forced the deletion of job " + std::to_string(number),
           false});
    else
      answer.lines.push_back({caller.user + " has registered the " +
                                  words_for(chosen.active, "job ") + " for deletion",
                              false});
  }
  for (const auto task : chosen.active) {
    if (!command.force) {
      auto& ended = *state.edit_job(target.key).find(task);
      ended.deleting = true, ended.after_end = AfterEnd::gone;
      continue;
    }
    ExitRecord record;
    record.failed = failed::killed, record.reason = "deletion forced by " + caller.user;
    finish_task(state, target.key, task, record, now);
  }
  if (!chosen.waiting.empty())
    mail(state, Occasion::job_aborted, *state.job(target.key),
         whole || chosen.waiting.size() > 1 ? 0 : chosen.waiting.front(),
         not_started("deleted by " + caller.user));
  if (!chosen.waiting.empty()) drop_waiting_tasks(state, target.key, chosen.waiting);
  erase_if_finished(state, target.key);
}

} // namespace

std::string too_much_from(const std::string& number) {
  return "denied: one request changes at most 32 MB of jobs: job " + number +
         " and those after it are as they were; name fewer at a time";
}

Answer no_jobs_of(const std::vector<std::string>& users) {
  return Answer::refusal("There are no jobs registered for the following users: " + excerpt(users));
}

Answer delete_jobs(State& state, const Caller& caller, const DeleteJobs& command, Instant now) {
  Answer answer;
  if (command.targets.empty() && command.users.empty())
    return Answer::refusal("You have to specify a username or job ids");
  if (command.force && !is_operator(state.configuration, caller) &&
      !state.configuration.global().forced_qdel_for_owners)
    return Answer::refusal(
        "denied: \"" + caller.user +
        "\" must be operator to force the deletion of jobs (or ENABLE_FORCED_QDEL be set)");
  const auto selection = select_jobs(state, caller, command.targets, command.users);
  if (!selection) return Answer::refusal("denied: " + selection.what());
  auto may_be_looked_at = most_single_tasks;
  for (const auto& target : selection->targets) {
    const auto* job = state.job(target.key);
    if (!job) continue;
    if (may_change(state.configuration, caller, job->owner)) {
      delete_one(state, caller, target, command, now, may_be_looked_at, answer);
      continue;
    }
    if (command.targets.empty()) continue;
    answer.refuse(caller.user + " - you do not have the necessary privileges to delete the job \"" +
                  std::to_string(job->number) + "\"");
  }
  for (const auto& unknown : selection->unknown) {
    answer.refuse("denied: job \"" + unknown + "\" does not exist");
  }
  if (answer.lines.empty()) return no_jobs_of(command.users);
  return answer;
}

namespace {

// False where one request may not change so much.
bool set_holds(State& state, std::int64_t key, const ChangeHold& command, Rewriting& rewriting) {
  const bool held = !command.release;
  const auto* before = state.job(key);
  const auto changes = [&](bool meant, bool is) { return meant && is != held; };
  if (!changes(command.user_hold, before->user_hold) &&
      !changes(command.operator_hold, before->operator_hold) &&
      !changes(command.system_hold, before->system_hold))
    return true;
  if (!rewriting.has_room_for(*before)) return false;
  auto& job = state.edit_job(key);
  if (command.user_hold) job.user_hold = held;
  if (command.operator_hold) job.operator_hold = held;
  if (command.system_hold) job.system_hold = held;
  return true;
}

} // namespace

Answer change_hold(State& state, const Caller& caller, const ChangeHold& command) {
  Answer answer;
  if (command.targets.empty() && command.users.empty())
    return Answer::refusal("You have to specify a username or job ids");
  if (command.operator_hold && !is_operator(state.configuration, caller))
    return Answer::refusal("denied: \"" + caller.user +
                           "\" must be operator to change an operator hold");
  if (command.system_hold && !is_manager(state.configuration, caller))
    return Answer::refusal("denied: \"" + caller.user +
                           "\" must be manager to change a system hold");
  const auto selection = select_jobs(state, caller, command.targets, command.users);
  if (!selection) return Answer::refusal("denied: " + selection.what());
  Rewriting rewriting;
  for (const auto& target : selection->targets) {
    const auto number = std::to_string(state.job(target.key)->number);
    if (!may_change(state.configuration, caller, state.job(target.key)->owner)) {
      answer.refuse(caller.user +
                    " - you do not have the necessary privileges to modify the job \"" + number +
                    "\"");
      continue;
    }
    if (!target.tasks.empty()) {
      answer.refuse("holds of single tasks are not built yet: job " + number);
      continue;
    }
    if (!set_holds(state, target.key, command, rewriting)) {
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
bool any_error(const Job& job, const JobTarget& target) {
  return std::any_of(job.tasks.begin(), job.tasks.end(),
                     [&](const Task& task) { return is_meant_error(task, target); });
}
void clear_errors(Job& job, const JobTarget& target) {
  for (auto& task : job.tasks)
    if (is_meant_error(task, target)) task.state = TaskState::pending, task.reason.clear();
}

} // namespace

Answer clear_job_errors(State& state, const Caller& caller, const ClearJobErrors& command) {
  Answer answer;
  // Names and patterns mean everybody's jobs where the caller may change them.
  const auto users = is_operator(state.configuration, caller) ? std::vector<std::string>{"*"}
                                                              : std::vector<std::string>();
  const auto selection = select_jobs(state, caller, command.targets, users);
  if (!selection) return Answer::refusal("denied: " + selection.what());
  Rewriting rewriting;
  for (const auto& target : selection->targets) {
    const auto number = std::to_string(state.job(target.key)->number);
    if (!may_change(state.configuration, caller, state.job(target.key)->owner)) {
      answer.refuse(caller.user +
                    " - you do not have the necessary privileges to clear the job \"" + number +
                    "\"");
      continue;
    }
    if (!any_error(*state.job(target.key), target)) {
      answer.lines.push_back({"job " + number + " is not in error state", false});
    } else if (!rewriting.has_room_for(*state.job(target.key))) {
      answer.refuse(too_much_from(number));
      break;
    } else {
      clear_errors(state.edit_job(target.key), target);
      answer.lines.push_back({caller.user + " - cleared error state of job " + number, false});
    }
  }
  for (const auto& unknown : selection->unknown) {
    answer.refuse("denied: job \"" + unknown + "\" does not exist");
  }
  return answer;
}

} // namespace almanac::rules
