#include "core/planning/commands/queue_commands.hpp"

#include "core/planning/reservation_health.hpp"
#include "core/planning/transitions.hpp"
#include "core/policy/standing.hpp"
#include "core/text/resource_list.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

const char* state_word(QueueAction action) {
  switch (action) {
  case QueueAction::disable: return "disabled";
  case QueueAction::enable: return "enabled";
  case QueueAction::suspend: return "suspended";
  case QueueAction::unsuspend: return "unsuspended";
  case QueueAction::clear_error: return "no error";
  }
  return "";
}

bool already_so(const InstanceState& instance, QueueAction action) {
  switch (action) {
  case QueueAction::disable: return instance.disabled;
  case QueueAction::enable: return !instance.disabled;
  case QueueAction::suspend: return instance.suspended;
  case QueueAction::unsuspend: return !instance.suspended;
  case QueueAction::clear_error: return !instance.error;
  }
  return true;
}

void apply(InstanceState& instance, QueueAction action) {
  switch (action) {
  case QueueAction::disable: instance.disabled = true; break;
  case QueueAction::enable: instance.disabled = false; break;
  case QueueAction::suspend: instance.suspended = true; break;
  case QueueAction::unsuspend: instance.suspended = false; break;
  case QueueAction::clear_error:
    instance.error = false;
    instance.reason.clear();
    instance.failures = 0, instance.failed_job = {};
    instance.avoided_until = {};
    break;
  }
}

} // namespace

Answer modify_queues(State& state, const Caller& caller, const ModifyQueues& command) {
  if (!is_operator(state.configuration(), caller))
    return Answer::refusal({AnswerCode::operator_needed, {{"user", caller.user}}});
  Answer answer;
  std::set<std::string> hosts; // of what changes
  for (const auto& target : command.targets) {
    bool any = false;
    for (const auto& instance : state.configuration().instances()) {
      if (!queue_request_matches(
              target, instance.name.queue, instance.name.host, [&](const std::string& group) {
                return state.configuration().host_in_group(instance.name.host, group);
              }))
        continue;
      any = true;
      if (already_so(state.instance(instance.name), command.action)) {
        answer.say({AnswerCode::queue_already_so,
                    {{"queue", instance.name.text()}, {"state", state_word(command.action)}}});
        continue;
      }
      state.edit<InstanceState>(
          instance.name, [&](InstanceState& condition) { apply(condition, command.action); });
      hosts.insert(instance.name.host);
      answer.say({AnswerCode::queue_changed,
                  {{"user", caller.user},
                   {"host", caller.host},
                   {"queue", instance.name.text()},
                   {"state", state_word(command.action)}}});
    }
    if (any) continue;
    answer.refuse({AnswerCode::invalid_queue, {{"queue", target}}});
  }
  if (command.action == QueueAction::suspend || command.action == QueueAction::unsuspend)
    follow_suspension(state, hosts);
  for (const auto& host : hosts) refresh_reservation_health(state, host);
  return answer;
}

} // namespace almanac::rules
