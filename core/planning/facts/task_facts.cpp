#include "core/planning/facts/task_facts.hpp"

#include "core/execution/fence.hpp"
#include "core/job/inside.hpp"
#include "core/planning/accounting.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/reservation_health.hpp"
#include "core/planning/start.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

constexpr Duration set_back{30}; // a host is left alone this long after a failed launch

constexpr std::int64_t failures_allowed =
    3; // of different jobs in a row, then the instance is in error

constexpr Duration launching{60}; // all parts of a job are launched so long after it began

constexpr Duration overrun{60}; // a task past its booked end is booked on by that at the most

// One that its limit ends at this moment is told of a second later: what is held behind it moves
// by as little, so that nobody finds room before it (a train of short jobs would keep it waiting
// for ever). The longer it is late, the less is known of when it ends.
Duration overrun_of(const Task& task, Instant now) {
  if (task.limit.is_endless()) return overrun;
  return std::clamp(now - (task.booked.start + task.limit), Duration{1}, overrun);
}

// The task that a fact speaks of, if it is still that attempt.
const Task* current(const State& state, const Attempt& attempt) {
  const auto* task = state.task(attempt.id());
  return task && task->attempt == attempt.attempt && task->is_active() ? task : nullptr;
}

// One that asks for another try is not tried before the scheduler's interval has passed, as its
// users know it: a job that does nothing else would keep the cell busy for ever. Other tasks of an
// array do not wait for it.
void run_again_later(State& state, const TaskId& id, bool restarted, const std::string& reason,
                     Instant now) {
  const auto rest = std::max(state.configuration().scheduler().schedule_interval, Duration{1});
  return_to_queue(state, id, restarted, reason);
  state.edit<Task>(id, [&](Task& task) { task.rests_until = now + rest; });
}

// Its shepherd has ended it by now, however late it was launched, which nobody can tell while its
// host is unknown: the site may have the master count that as its end (spec/cli.md C9.39).
bool is_enforced(const State& state, const Task& task, Instant now) {
  const auto& configuration = state.configuration();
  const auto late = std::max(configuration.scheduler().duration_offset, launching);
  const auto last = task.last_moment();
  return configuration.global().enforces_limits && !last.is_never() && last + late <= now &&
         state.host(task.grants.front().instance.host).phase == HostPhase::unknown;
}

bool is_user_fault(const ExitRecord& record) {
  return record.failed == failed::cannot_open_output || record.failed == failed::no_shell ||
         record.failed == failed::no_directory;
}

bool is_step_before(std::int64_t failed) {
  return failed == failed::prolog || failed == failed::pe_start;
}

bool is_step_after(std::int64_t failed) {
  return failed == failed::epilog || failed == failed::pe_stop;
}

// What the exit status of a command around the job means (spec/cli.md section 9.4): 99 the task
// returns to the queue, 100 it goes into the error state, anything else puts the queue instance
// into error.
enum class StepVerdict { again, job_error, queue_error };

StepVerdict verdict_on_step(const ExitRecord& record) {
  return record.step_status == 99    ? StepVerdict::again
         : record.step_status == 100 ? StepVerdict::job_error
                                     : StepVerdict::queue_error;
}

// Another try counts as such, whoever asked for it.
ExitRecord accounted(ExitRecord record, StepVerdict verdict) {
  if (verdict == StepVerdict::again) record.failed = failed::rescheduled;
  return record;
}

std::string failed_launch(AnswerCode code, const LaunchFailed& fact) {
  return text_of({code, {{"host", fact.host}, {"reason", fact.record.reason}}});
}

void put_instance_into_error(State& state, const InstanceName& name, const std::string& reason) {
  state.edit<InstanceState>(
      name, [&](InstanceState& instance) { instance.error = true, instance.reason = reason; });
  mail_administrators(state, name, reason);
  refresh_reservation_health(state, name.host);
}

void step_before_failed(State& state, const LaunchFailed& fact, Instant now) {
  const auto key = fact.attempt.job;
  const auto& task = *current(state, fact.attempt);
  const auto verdict = verdict_on_step(fact.record);
  write_accounting(state, *state.job(key), task, accounted(fact.record, verdict), now);
  if (verdict == StepVerdict::job_error)
    return put_into_error(state, fact.attempt.id(), fact.record.reason);
  if (verdict == StepVerdict::again)
    return run_again_later(state, fact.attempt.id(), false, fact.record.reason, now);
  put_instance_into_error(state, task.grants.front().instance, fact.record.reason);
  return_to_queue(state, fact.attempt.id(), false, fact.record.reason);
}

void step_after_failed(State& state, const TaskEnded& fact, Instant now) {
  const auto key = fact.attempt.job;
  const auto& task = *current(state, fact.attempt);
  const auto verdict = verdict_on_step(fact.record);
  if (verdict == StepVerdict::queue_error) {
    put_instance_into_error(state, task.grants.front().instance, fact.record.reason);
    return finish_task(state, fact.attempt.id(), fact.record, now);
  }
  write_accounting(state, *state.job(key), task, accounted(fact.record, verdict), now);
  if (verdict == StepVerdict::again)
    run_again_later(state, fact.attempt.id(), true, fact.record.reason, now);
  else put_into_error(state, fact.attempt.id(), fact.record.reason);
}

// A fence that was quicker does not bring it back. Its host says of what it has killed that it was
// killed: what qdel found over by itself, with only its last steps to come, keeps its own end.
ExitRecord record_of_deleted(const Task& task, ExitRecord record) {
  if (record.failed == failed::none && task.reason.empty()) return record;
  if (record.failed == failed::none || record.failed == failed::rescheduled)
    record.failed = failed::killed;
  const bool plainly_killed = record.failed == failed::killed && !task.reason.empty();
  if (record.reason.empty() || plainly_killed) record.reason = task.reason;
  return record;
}

// Its host never heard that its reservation is longer (spec/beyond.md B11.22).
bool ended_by_old_limit(const Task& task, const ExitRecord& record) {
  return record.failed == failed::run_time_limit && record.wallclock < task.limit.seconds;
}

// A part whose host can't be reached may run on until its fence fires: only then may the task begin
// elsewhere.
Duration rest_after(const State& state, const Task& task) {
  const auto is_away = [&](const Grant& grant) {
    return state.host(grant.instance.host).phase == HostPhase::unknown;
  };
  const bool waits =
      task.fence.seconds > 0 && std::any_of(task.grants.begin() + 1, task.grants.end(), is_away);
  return waits ? task.fence + fence_margin + fence_margin : Duration{};
}

// It has ended as it was told to.
void end_as_wanted(State& state, const Attempt& attempt, const ExitRecord& told, Instant now) {
  const auto id = attempt.id();
  const auto& task = *current(state, attempt);
  auto record = record_of_deleted(task, told);
  const auto after = task.after_end;
  if (after == AfterEnd::gone) return finish_task(state, id, record, now);
  const auto reason = task.reason;
  const bool has_run = task.state == TaskState::running;
  const auto rest = rest_after(state, task);
  if (is_tried_again(after))
    record.failed = after == AfterEnd::moved ? failed::migrate : failed::rescheduled;
  if (has_run || after == AfterEnd::error)
    write_accounting(state, *state.job(id.job), task, record, now);
  if (!is_tried_again(after)) return put_into_error(state, id, reason);
  return_to_queue(state, id, has_run, reason);
  if (rest.seconds > 0) state.edit<Task>(id, [&](Task& back) { back.rests_until = now + rest; });
}

// What ENABLE_RESCHEDULE_KILL gave a fence is not run again (sge_conf(5)), if it has begun.
bool ends_at_fence(const State& state, const Job& job, const Task& task) {
  return task.fence.seconds > 0 && task.state == TaskState::running &&
         !is_rerunnable(state, job, task);
}

// A task that is to be ended and then tried again may have come to its own end before; one that was
// given notice of a move has saved itself, however it exits.
bool ends_by_itself(const Job& job, const Task& task, const ExitRecord& record) {
  if (task.is_moving() && job.request->notify) return false;
  return task.after_end != AfterEnd::gone && record.failed != failed::killed &&
         record.failed != failed::rescheduled;
}

void set_back_on(State& state, const Task& task, const LaunchFailed& fact, Instant now) {
  for (const auto& grant : task.grants) {
    if (grant.instance.host != fact.host) continue;
    state.edit<InstanceState>(grant.instance, [&](InstanceState& instance) {
      instance.avoided_until = now + set_back;
      if (instance.failed_job != fact.attempt.job) ++instance.failures;
      instance.failed_job = fact.attempt.job;
      if (instance.failures >= failures_allowed)
        instance.error = true, instance.reason = fact.record.reason;
    });
  }
}

bool is_first_host(const Task& task, const std::string& host) {
  return task.grants.front().instance.host == host;
}

bool is_part(const Task& task, const std::string& host) {
  return std::any_of(task.grants.begin() + 1, task.grants.end(),
                     [&](const Grant& grant) { return grant.instance.host == host; });
}

// Whoever has the host of a part may say that of it at any time. So the job is ended where its
// script runs before anything else comes of it: it never runs twice at a time. It is tried again if
// it may be, or if it has just begun.
void part_failed(State& state, const LaunchFailed& fact, Instant now) {
  const auto& task = *current(state, fact.attempt);
  if (task.deleting || !is_part(task, fact.host)) return;
  if (!fact.user_fault && fact.record.failed != failed::rescheduled)
    set_back_on(state, task, fact, now);
  const bool may_return = task.state == TaskState::sent || now < task.started + launching ||
                          is_rerunnable(state, *state.job(fact.attempt.job), task);
  state.edit<Task>(fact.attempt.id(), [&](Task& rest) {
    rest.deleting = true;
    rest.after_end = !may_return       ? AfterEnd::gone
                     : fact.user_fault ? AfterEnd::error
                                       : AfterEnd::again;
    rest.reason = failed_launch(AnswerCode::launch_of_part_failed, fact);
  });
  refresh_reservation_health(state, fact.host);
}

} // namespace

void task_started(State& state, const TaskStarted& fact, Instant now) {
  const auto* task = current(state, fact.attempt);
  if (!task || task->state == TaskState::running) return;
  state.edit<Task>(fact.attempt.id(), [&](Task& started) {
    change_state(started, TaskEvent::forked);
    started.started = now;
    started.reason.clear();
  });
  const auto& started = *state.task(fact.attempt.id());
  mail(state, Occasion::job_started, *state.job(fact.attempt.job), started);
  for (const auto& grant : started.grants)
    if (state.instance(grant.instance).failures > 0)
      state.edit<InstanceState>(grant.instance, [](InstanceState& instance) {
        instance.failures = 0, instance.failed_job = {};
      });
}

void launch_failed(State& state, const LaunchFailed& fact, Instant now) {
  const auto* task = current(state, fact.attempt);
  if (!task) return;
  if (!is_first_host(*task, fact.host)) return part_failed(state, fact, now);
  const auto key = fact.attempt.job;
  if (task->deleting) return end_as_wanted(state, fact.attempt, fact.record, now);
  // Its order was held up for longer than its fence: nobody's fault.
  if (fact.record.failed == failed::rescheduled)
    return return_to_queue(state, fact.attempt.id(), false, fact.record.reason);
  if (fact.user_fault) {
    write_accounting(state, *state.job(key), *task, fact.record, now);
    put_into_error(state, fact.attempt.id(), fact.record.reason);
    return;
  }
  if (is_step_before(fact.record.failed)) return step_before_failed(state, fact, now);
  set_back_on(state, *task, fact, now);
  return_to_queue(state, fact.attempt.id(), false, failed_launch(AnswerCode::launch_failed, fact));
  refresh_reservation_health(state, fact.host);
}

void task_ended(State& state, const TaskEnded& told, Instant now) {
  const auto* task = current(state, told.attempt);
  if (!task) return;
  const auto fact = account_processes(state, told, now);
  const auto id = fact.attempt.id();
  const auto& job = *state.job(id.job);
  const auto& global = state.configuration().global();
  auto record = fact.record;
  if (record.checkpoint_pid > 0) task_saved(state, {told.attempt, record.checkpoint_pid});
  task = current(state, told.attempt);
  if (ended_by_old_limit(*task, record)) {
    record.failed = failed::killed;
    record.reason = text_of({AnswerCode::ended_before_prolonged, {}});
  }
  if (task->deleting && !ends_by_itself(job, *task, record)) {
    end_as_wanted(state, fact.attempt, record, now);
  } else if (is_step_after(record.failed)) {
    step_after_failed(state, fact, now);
  } else if (record.failed == failed::rescheduled && ends_at_fence(state, job, *task)) {
    record.failed = failed::killed;
    finish_task(state, id, record, now);
  } else if (record.failed == failed::rescheduled) {
    write_accounting(state, job, *task, record, now);
    return_to_queue(state, id, true, record.reason);
  } else if (is_user_fault(record)) {
    write_accounting(state, job, *task, record, now);
    put_into_error(state, id, record.reason);
  } else if (record.failed == failed::none && record.exit_status == 99 &&
             !global.forbid_reschedule) {
    record.failed = failed::rescheduled;
    write_accounting(state, job, *task, record, now);
    run_again_later(state, id, true, text_of({AnswerCode::asked_for_another_try, {}}), now);
  } else if (record.failed == failed::none && record.exit_status == 100 &&
             !global.forbid_application_error) {
    record.failed = failed::application;
    write_accounting(state, job, *task, record, now);
    put_into_error(state, id, text_of({AnswerCode::exited_with_error, {}}));
  } else finish_task(state, id, record, now);
}

void task_saved(State& state, const TaskSaved& fact) {
  const auto* task = current(state, fact.attempt);
  if (!task || task->checkpoint_pid == fact.process || fact.process <= 0) return;
  state.edit<Task>(fact.attempt.id(), [&](Task& saved) { saved.checkpoint_pid = fact.process; });
}

void task_lost(State& state, const TaskLost& fact, Instant now) {
  const auto* task = current(state, fact.attempt);
  if (!task) return;
  const auto reason = text_of({AnswerCode::host_lost_job, {{"host", fact.host}}});
  if (!is_first_host(*task, fact.host)) {
    if (!is_part(*task, fact.host)) return;
    // A part is lost: the job can't go on anywhere.
    return state.edit<Task>(fact.attempt.id(), [&](Task& rest) {
      if (!rest.deleting) rest.after_end = AfterEnd::gone;
      rest.deleting = true;
      rest.reason = reason;
    });
  }
  ExitRecord record;
  record.failed = failed::lost, record.reason = reason;
  if (task->deleting) return end_as_wanted(state, fact.attempt, record, now);
  if ((task->state == TaskState::sent ||
       is_rerunnable(state, *state.job(fact.attempt.job), *task))) {
    if (task->state == TaskState::running)
      write_accounting(state, *state.job(fact.attempt.job), *task, record, now);
    return_to_queue(state, fact.attempt.id(), task->state == TaskState::running, reason);
  } else finish_task(state, fact.attempt.id(), record, now);
}

// One link that is cut loses nothing: only a host that neither its peer nor the master hears, for
// max_unheard, has lost the part, and with it the job (design.md section 7, Parallel jobs).
void part_silent(State& state, const PartSilent& fact) {
  const auto* task = current(state, fact.attempt);
  if (!task || task->deleting || state.host(fact.host).phase != HostPhase::unknown) return;
  if (!is_part(*task, fact.host)) return;
  const auto& configuration = state.configuration();
  const bool again = configuration.global().reschedules_for_parts &&
                     configuration.on(fact.host).reschedule_unknown.seconds > 0 &&
                     is_rerunnable(state, *state.job(fact.attempt.job), *task);
  state.edit<Task>(fact.attempt.id(), [&](Task& rest) {
    rest.deleting = true, rest.after_end = again ? AfterEnd::again : AfterEnd::gone;
    rest.reason = text_of({AnswerCode::part_lost, {{"host", fact.host}}});
  });
}

// Its parts on other hosts that are cut off end by their own fences, which the master can't count.
void task_fenced(State& state, const TaskFenced& fact, Instant now) {
  const auto* task = current(state, fact.attempt);
  const auto is_away = [&](const Grant& grant) {
    return state.host(grant.instance.host).phase == HostPhase::unknown;
  };
  if (!task || task->fence.seconds == 0 || task->grants.front().instance.host != fact.host ||
      !is_away(task->grants.front()) ||
      std::any_of(task->grants.begin() + 1, task->grants.end(), [&](const Grant& grant) {
        return grant.instance.host != fact.host && is_away(grant);
      }))
    return;
  const auto key = fact.attempt.job;
  ExitRecord record;
  record.failed = task->deleting ? failed::killed : failed::rescheduled;
  record.reason = text_of({AnswerCode::host_was_silent, {{"host", fact.host}}});
  if (task->deleting) return end_as_wanted(state, fact.attempt, record, now);
  if (ends_at_fence(state, *state.job(key), *task)) {
    record.failed = failed::killed, record.exit_status = 128 + 9;
    return finish_task(state, fact.attempt.id(), record, now);
  }
  if (task->state == TaskState::running)
    write_accounting(state, *state.job(key), *task, record, now);
  return_to_queue(state, fact.attempt.id(), true, record.reason);
}

void end_cut_task(State& state, const TaskOverdue& fact, Instant now) {
  const auto* task = current(state, fact.attempt);
  if (!task || task->deleting || task->ended_at.seconds == 0 || task->ended_at > now) return;
  const auto& job = *state.job(fact.attempt.job);
  const auto* inside = state.reservation(reservation_of(job, *task));
  const auto number = inside ? inside->number : job.request->reservation;
  state.edit<Task>(fact.attempt.id(), [&](Task& cut) {
    cut.deleting = true, cut.after_end = AfterEnd::gone;
    cut.reason = text_of({AnswerCode::cut_short, {{"reservation", number}}});
  });
}

void enforce_limit(State& state, const Attempt& attempt, Instant now) {
  ExitRecord record;
  record.failed = failed::run_time_limit, record.exit_status = 128 + 9;
  record.reason = failed_text(record.failed);
  if (state.task(attempt.id())->deleting) return end_as_wanted(state, attempt, record, now);
  finish_task(state, attempt.id(), record, now);
}

void task_overdue(State& state, const TaskOverdue& fact, Instant now) {
  const auto* task = current(state, fact.attempt);
  if (!task || task->booked.end > now) return;
  if (is_written_off(state, *task, now)) return write_off(state, fact.attempt.id(), now);
  if (is_enforced(state, *task, now)) return enforce_limit(state, fact.attempt, now);
  state.edit<Task>(fact.attempt.id(),
                   [&](Task& overdue) { overdue.booked.end = now + overrun_of(overdue, now); });
}

void extend_overdue(State& state, Instant now) {
  while (const auto late = state.occupancy().ends.overdue(now)) {
    const auto& job = *state.job(late->job);
    const auto attempt = state.task(*late)->attempt;
    state.waiting().unsettle(Statement{AnswerCode::run_time_exceeded, {{"job", job.number}}});
    task_overdue(state, {{late->job, late->task, attempt}}, now);
  }
}

} // namespace almanac::rules
