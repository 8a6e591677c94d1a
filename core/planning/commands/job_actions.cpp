#include "core/planning/commands/job_actions.hpp"

#include "core/planning/commands/job_commands.hpp"
#include "core/planning/commands/named_instances.hpp"
#include "core/planning/commands/queue_commands.hpp"
#include "core/planning/start.hpp"
#include "core/planning/suspension.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"
#include "core/policy/standing.hpp"
#include "core/text/numbers.hpp"
#include "core/text/ranges.hpp"

#include <algorithm>
#include <map>

namespace almanac::rules {

// ---- what is said -------------------------------------------------------------------------------

Statement JobActions::about(AnswerCode code, Statement what) const {
  return {code, {{"user", caller_.user}, {"host", caller_.host}, {"what", std::move(what)}}};
}
void JobActions::say(AnswerCode code, const Job& job, const Tasks& tasks) {
  if (!tasks.empty()) answer.say(about(code, tasks_of(job, tasks)));
}
void JobActions::refuse(AnswerCode code, const Job& job, const Tasks& tasks) {
  if (!tasks.empty()) answer.refuse(about(code, tasks_of(job, tasks)));
}

// ---- what is done -------------------------------------------------------------------------------

void JobActions::suspend(const Job& job, const Tasks& tasks) {
  Tasks already, stopped;
  for (const auto number : tasks) {
    const bool is_so = state_.task({job.key, number})->suspended_by_user;
    (is_so && !force_ ? already : stopped).push_back(number);
    if (!is_so) suspend_by_user(state_, {job.key, number}, true);
  }
  say(force_ ? AnswerCode::suspension_forced : AnswerCode::suspended_by_user, job, stopped);
  say(AnswerCode::already_suspended, job, already);
}

// A suspend threshold is nobody's to lift but the load's.
void JobActions::unsuspend(const Job& job, const Tasks& tasks) {
  std::map<AnswerCode, Tasks> said;
  for (const auto number : tasks) {
    const auto& task = *state_.task({job.key, number});
    const bool was_so = task.suspended_by_user, is_throttled = task.throttled;
    if (was_so) suspend_by_user(state_, {job.key, number}, false);
    const auto code = is_throttled && was_so ? AnswerCode::still_throttled
                      : is_throttled         ? AnswerCode::only_throttled
                      : force_               ? AnswerCode::unsuspension_forced
                      : was_so               ? AnswerCode::unsuspended_by_user
                                             : AnswerCode::already_unsuspended;
    said[code].push_back(number);
  }
  for (const auto& [code, numbers] : said) say(code, job, numbers);
}

JobActions::Tasks JobActions::not_yet_rescheduled(JobKey key, const Tasks& tasks) {
  Tasks rest;
  for (const auto number : tasks)
    if (rescheduled_.insert({key, number}).second) rest.push_back(number);
  return rest;
}

// They end where they run first: no task runs twice at a time.
bool JobActions::reschedule(JobKey key, const Tasks& meant) {
  const auto tasks = not_yet_rescheduled(key, meant);
  const auto& job = *state_.job(key);
  const bool ends_them = state_.configuration().global().ends_what_cannot_rerun;
  Tasks kept, leaving, ended;
  std::map<std::string, Tasks> by_host;
  for (const auto number : tasks) {
    const auto& task = *state_.task({key, number});
    if (task.deleting && !is_tried_again(task.after_end)) leaving.push_back(number);
    else if (!force_ && !is_rerunnable(state_, job, task))
      (ends_them ? ended : kept).push_back(number);
    else by_host[task.grants.front().instance.host].push_back(number);
  }
  Tasks written = ended;
  for (const auto& [host, numbers] : by_host)
    written.insert(written.end(), numbers.begin(), numbers.end());
  if (!written.empty() && !state_.may_write(key, written_bytes(state_, key, written)))
    return answer.refuse(too_much_from(job.number)), false;
  const auto reason = text_of({AnswerCode::rescheduled_by, {{"user", caller_.user}}});
  for (const auto number : written)
    state_.edit<Task>({key, number}, [&](Task& task) {
      const bool goes = std::find(ended.begin(), ended.end(), task.number) != ended.end();
      task.deleting = true, task.after_end = goes ? AfterEnd::gone : AfterEnd::again;
      task.reason = reason;
    });
  for (const auto& [host, numbers] : by_host)
    answer.say({force_ ? AnswerCode::rescheduling_forced : AnswerCode::rescheduling_pushed,
                {{"what", tasks_of(job, numbers)}, {"host", host}}});
  if (!ended.empty())
    answer.say({AnswerCode::not_restartable_ended, {{"what", tasks_of(job, ended)}}});
  refuse(AnswerCode::not_restartable, job, kept);
  refuse(AnswerCode::is_being_deleted, job, leaving);
  return true;
}

bool JobActions::act(JobAction action, JobKey key, const Tasks& tasks) {
  if (action == JobAction::reschedule) return reschedule(key, tasks);
  const auto& job = *state_.job(key);
  if (!state_.may_write(key, written_bytes(state_, key, tasks)))
    return answer.refuse(too_much_from(job.number)), false;
  action == JobAction::suspend ? suspend(job, tasks) : unsuspend(job, tasks);
  return true;
}

bool JobActions::clear_errors(const JobTarget& target) {
  const auto& job = *state_.job(target.key);
  Tasks errors, others;
  for (const auto& task : state_.tasks_of(target.key))
    if (selects(target.tasks, task.number))
      (task.state == TaskState::error ? errors : others).push_back(task.number);
  if (errors.empty()) {
    Statement fine{AnswerCode::job_without_error, {{"job", job.number}}};
    if (job.request->tasks.is_array() && !target.tasks.empty() && !others.empty())
      fine = {AnswerCode::task_without_error,
              {{"job", job.number}, {"tasks", print_tasks(others)}}};
    answer.say(std::move(fine));
    return true;
  }
  if (!state_.may_write(target.key, written_bytes(state_, target.key, errors)))
    return answer.refuse(too_much_from(job.number)), false;
  for (const auto number : errors)
    state_.edit<Task>({target.key, number}, [](Task& task) {
      change_state(task, TaskEvent::cleared), task.reason.clear();
    });
  say(AnswerCode::job_error_cleared, job, errors);
  return true;
}

bool JobActions::take(JobAction action, const JobTarget& target) {
  const auto& job = *state_.job(target.key);
  if (!may_change(state_.configuration(), caller_, job.owner)) {
    answer.refuse(no_right_to(AnswerCode::no_permission_for_job, caller_, job.number));
    return true;
  }
  if (!named_.take(job, state_.tally(job.key), target.tasks))
    return answer.refuse(too_many_tasks_from(job.number)), false;
  if (action == JobAction::clear_error) return clear_errors(target);
  Tasks active;
  for (const auto& task : state_.tasks_of(job.key))
    if (task.is_active() && selects(target.tasks, task.number)) active.push_back(task.number);
  const auto waiting = target.tasks.empty() ? Tasks() : waiting_in(state_, job, target.tasks);
  if (!target.tasks.empty() && active.empty() && waiting.empty()) {
    answer.refuse(no_such_task(job, target.tasks));
    return true;
  }
  if (!active.empty() && !act(action, job.key, active)) return false;
  refuse(AnswerCode::not_while_waiting, job, waiting);
  if (target.tasks.empty() && active.empty())
    answer.refuse(about(AnswerCode::not_while_waiting, whole_job(job)));
  return true;
}

// ---- the commands -------------------------------------------------------------------------------

namespace {

QueueAction queue_action_of(JobAction action) {
  switch (action) {
  case JobAction::suspend: return QueueAction::suspend;
  case JobAction::unsuspend: return QueueAction::unsuspend;
  case JobAction::reschedule: return QueueAction::reschedule;
  case JobAction::clear_error: break;
  }
  return QueueAction::clear_error;
}

// One request may name very many jobs by their ids.
bool names_queues(const Configuration& configuration, const std::string& target) {
  if (all_digits(target.substr(0, target.find('.'))))
    return configuration.queues().contains(target);
  return !named_instances(configuration, target).empty();
}

} // namespace

Answer modify_jobs(State& state, const Caller& caller, const ModifyJobs& command, Instant now) {
  auto targets = command.targets;
  auto queues_from = targets.end();
  if (command.or_queues)
    queues_from =
        std::stable_partition(targets.begin(), targets.end(), [&](const std::string& target) {
          return !names_queues(state.configuration(), target);
        });
  const std::vector<std::string> queues(queues_from, targets.end());
  targets.erase(queues_from, targets.end());
  const auto users = is_operator(state.configuration(), caller) ? std::vector<std::string>{"*"}
                                                                : std::vector<std::string>();
  JobSelection selection;
  if (!targets.empty()) {
    auto selected = select_jobs(state, caller, targets, users);
    if (!selected) return Answer::refusal({AnswerCode::denied, {{"why", selected.error()}}});
    selection = std::move(*selected);
  }
  JobActions actions(state, caller, command.force);
  if (!queues.empty())
    modify_queues(state, caller, {queue_action_of(command.action), queues, command.force}, now,
                  actions);
  for (const auto& target : selection.targets)
    if (!actions.take(command.action, target)) break;
  for (const auto& unknown : selection.unknown)
    actions.answer.refuse({AnswerCode::invalid_queue_or_job, {{"target", unknown}}});
  return std::move(actions.answer);
}

Answer clear_job_errors(State& state, const Caller& caller, const ClearJobErrors& command,
                        Instant now) {
  return modify_jobs(state, caller, {JobAction::clear_error, command.targets}, now);
}

} // namespace almanac::rules
