#include "core/planning/commands/queue_commands.hpp"

#include "core/planning/commands/job_actions.hpp"
#include "core/planning/commands/named_instances.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/suspension.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>
#include <map>

namespace almanac::rules {

namespace {

const char* state_word(QueueAction action) {
  switch (action) {
  case QueueAction::disable: return "disabled";
  case QueueAction::enable: return "enabled";
  case QueueAction::suspend: return "suspended";
  case QueueAction::unsuspend: return "unsuspended";
  case QueueAction::clear_error: return "no error";
  case QueueAction::reschedule: break; // of its jobs, not of the instance
  }
  return "";
}

// A drain that says more than the one before replaces it.
bool already_so(const InstanceState& instance, const ModifyQueues& wanted) {
  switch (wanted.action) {
  case QueueAction::disable:
    return instance.disabled &&
           ((wanted.why.empty() && !wanted.until.seconds) ||
            (instance.drain.why == wanted.why && instance.drain.until == wanted.until));
  case QueueAction::enable: return !instance.disabled;
  case QueueAction::suspend: return instance.suspended;
  case QueueAction::unsuspend: return !instance.suspended;
  case QueueAction::clear_error: return !instance.error;
  case QueueAction::reschedule: break;
  }
  return true;
}

void apply(InstanceState& instance, QueueAction action, const Drain& drain) {
  switch (action) {
  case QueueAction::disable: instance.disabled = true, instance.drain = drain; break;
  case QueueAction::enable: instance.enable(); break;
  case QueueAction::suspend: instance.suspended = true; break;
  case QueueAction::unsuspend: instance.suspended = false; break;
  case QueueAction::clear_error:
    instance.error = false;
    instance.reason.clear();
    instance.failures = 0, instance.failed_job = {};
    instance.avoided_until = {};
    break;
  case QueueAction::reschedule: break;
  }
}

// An owner opens and closes a queue; the rest is for operators (spec/objects.md O1.31).
bool may_modify(const State& state, const Caller& caller, const QueueInstance& instance,
                QueueAction action) {
  if (is_operator(state.configuration(), caller)) return true;
  const auto& owners = instance.settings.owner_list;
  return action != QueueAction::clear_error && action != QueueAction::reschedule &&
         std::find(owners.begin(), owners.end(), caller.user) != owners.end();
}

// Tasks that begin on the instance; a part of a parallel job alone does not make it start again, unless
// the site wants it (ENABLE_RESCHEDULE_SLAVE).
std::map<JobKey, std::vector<std::int64_t>> tasks_of(const State& state,
                                                     const InstanceName& instance) {
  const bool parts_count = state.configuration().global().reschedules_for_parts;
  const auto is_here = [&](const Grant& grant) { return grant.instance == instance; };
  std::map<JobKey, std::vector<std::int64_t>> tasks;
  for (const auto& id : state.tasks_on(instance.host)) {
    const auto& task = *state.task(id);
    if (!task.is_active()) continue;
    if (is_here(task.grants.front()) ||
        (parts_count && std::any_of(task.grants.begin(), task.grants.end(), is_here)))
      tasks[id.job].push_back(id.task);
  }
  return tasks;
}

class QueueModification {
public:
  QueueModification(State& state, const Caller& caller, const ModifyQueues& command, Instant now,
                    JobActions& jobs)
      : state_(state),
        caller_(caller),
        command_(command),
        action_(command.action),
        drain_{command.why, caller.user, now, command.until},
        jobs_(jobs) {}

  /// False where that is more than one request may do: what follows stays.
  bool take(const QueueInstance& instance);
  void refuse(Statement why) { answer().refuse(std::move(why)); }
  void settle();
  Answer& answer() { return jobs_.answer; }

private:
  bool may_take(const QueueInstance& instance);
  bool reschedule(const InstanceName& instance);

  State& state_;
  const Caller& caller_;
  const ModifyQueues& command_;
  QueueAction action_;
  Drain drain_;
  JobActions& jobs_;
  std::set<std::string> hosts_; ///< of what has changed
  std::int64_t refused_ = 0;
};

// The instances of a large cell are not told one by one to somebody who owns none.
bool QueueModification::may_take(const QueueInstance& instance) {
  constexpr std::int64_t most_told = 100;
  if (may_modify(state_, caller_, instance, action_)) return true;
  if (++refused_ <= most_told)
    answer().refuse({action_ == QueueAction::reschedule ? AnswerCode::no_rescheduling_of_queue
                                                        : AnswerCode::no_permission_to_modify_queue,
                     {{"user", caller_.user}, {"queue", instance.name.text()}}});
  return false;
}

bool QueueModification::reschedule(const InstanceName& instance) {
  const auto tasks = tasks_of(state_, instance);
  if (tasks.empty())
    answer().say({AnswerCode::nothing_to_reschedule, {{"queue", instance.text()}}});
  for (const auto& [job, numbers] : tasks)
    if (!jobs_.reschedule(job, numbers)) return false;
  return true;
}

bool QueueModification::take(const QueueInstance& instance) {
  if (!may_take(instance)) return true;
  const auto name = instance.name;
  if (action_ == QueueAction::reschedule) return reschedule(name);
  const bool is_so = already_so(state_.instance(name), command_);
  if (is_so && !command_.force) {
    answer().say(
        {AnswerCode::queue_already_so, {{"queue", name.text()}, {"state", state_word(action_)}}});
    return true;
  }
  if (!is_so) {
    state_.edit<InstanceState>(name, [&](InstanceState& state) { apply(state, action_, drain_); });
    hosts_.insert(name.host);
  }
  answer().say({AnswerCode::queue_changed,
                {{"user", caller_.user},
                 {"host", caller_.host},
                 {"queue", name.text()},
                 {"state", state_word(action_)}}});
  return true;
}

void QueueModification::settle() {
  if (action_ == QueueAction::suspend || action_ == QueueAction::unsuspend)
    follow_suspension(state_, hosts_);
  for (const auto& host : hosts_) refresh_reservation_health(state_, host);
  if (drain_.until.seconds && !hosts_.empty())
    state_.set_next_turn(std::min(state_.next_turn(), drain_.until));
}

// Of who takes a machine out of use, it is the host that they know.
std::vector<const QueueInstance*> wanted_instances(const Configuration& configuration,
                                                   QueueAction action, const std::string& target) {
  auto instances = named_instances(configuration, target);
  const bool may_be_host = action == QueueAction::disable || action == QueueAction::enable;
  return instances.empty() && may_be_host ? named_instances(configuration, "*@" + target)
                                          : std::move(instances);
}

} // namespace

Answer modify_queues(State& state, const Caller& caller, const ModifyQueues& command, Instant now) {
  JobActions jobs(state, caller, command.force);
  modify_queues(state, caller, command, now, jobs);
  return std::move(jobs.answer);
}

void modify_queues(State& state, const Caller& caller, const ModifyQueues& command, Instant now,
                   JobActions& jobs) {
  if (command.until.seconds && command.until <= now)
    return jobs.answer.refuse({AnswerCode::drain_would_be_over, {{"until", command.until}}});
  QueueModification modification(state, caller, command, now, jobs);
  for (const auto& target : command.targets) {
    const auto instances = wanted_instances(state.configuration(), command.action, target);
    if (instances.empty()) modification.refuse({AnswerCode::invalid_queue, {{"queue", target}}});
    const bool goes_on = std::all_of(instances.begin(), instances.end(),
                                     [&](const auto* one) { return modification.take(*one); });
    if (!goes_on) break;
  }
  modification.settle();
}

} // namespace almanac::rules
