#include "core/planning/transitions.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/job/inside.hpp"
#include "core/planning/accounting.hpp"
#include "core/planning/array_dependencies.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/maintenance.hpp"
#include "core/planning/preemption.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/texts.hpp"

#include <algorithm>
#include <set>

namespace almanac::rules {

void change_state(Task& task, TaskEvent event) {
  const auto state = next(task.state, event);
  check(state.has_value(), "an event comes in a state of a task that has it");
  task.state = *state;
}

namespace {

// The task holds nothing any more, like one that waits.
void give_back(Task& task) {
  task.grants.clear(), task.bookings.clear();
  task.booked = {};
  task.pe.clear();
  task.started = {};
  task.deleting = false;
  task.suspended = task.throttled = false;
  task.suspended_by_user = task.suspended_by_queue = task.suspended_by_slots = false;
  task.after_end = AfterEnd::gone;
  task.ended_at = {};
  task.attracted_by = {};
  task.rerunnable = false;
  task.gives_way_to = {};
}

// What a task held may be what a reservation lacks, or was left behind (spec/beyond.md B1.6).
void want_repair(State& state) {
  if (!state.occupancy().troubled.keys().empty()) state.want_repair();
}

// A reservation that is over waits for no task that it attracted and that waits again.
template <class Change> void leave(State& state, const TaskId& id, Change change) {
  want_repair(state);
  const auto attracted_by = state.task(id)->attracted_by;
  const auto gave_way_to = state.task(id)->gives_way_to;
  const auto left = state.task(id)->grants;
  state.edit<Task>(id, [&](Task& task) {
    give_back(task);
    change(task);
  });
  note_running(state, left);
  if (attracted_by) let_go(state, attracted_by);
  gave_way(state, gave_way_to);
}

void erase_task(State& state, const TaskId& id, TaskEvent event) {
  check(ends(state.task(id)->state, event), "a task goes by an event that ends it");
  state.erase<Task>(id);
}

std::vector<std::int64_t> waiting_tasks_of(const State& state, JobKey job_key) {
  std::vector<std::int64_t> numbers;
  for (const auto& task : state.tasks_of(job_key))
    if (!task.is_active()) numbers.push_back(task.number);
  return numbers;
}

} // namespace

bool is_written_off(const State& state, const Task& task, Instant now) {
  const auto* reservation = state.reservation(reservation_of(*state.job(task.job), task));
  const auto& host = task.grants.front().instance.host;
  return reservation &&
         (reservation->phase == ReservationPhase::closed ||
          reservation->phase == ReservationPhase::expired) &&
         state.host(host).phase == HostPhase::unknown &&
         (task.last_moment() <= now || task.last_moment().is_never());
}

void write_off(State& state, const TaskId& task, Instant now) {
  const auto& host = state.task(task)->grants.front().instance.host;
  ExitRecord record;
  record.failed = failed::killed;
  record.reason = text_of({AnswerCode::reservation_over_on_lost_host, {{"host", host}}});
  finish_task(state, task, record, now);
}

void return_to_queue(State& state, const TaskId& id, bool restarted, const std::string& reason) {
  leave(state, id, [&](Task& task) {
    change_state(task, TaskEvent::returned);
    task.restarted = task.restarted || restarted;
    task.reason = reason;
  });
}

void put_into_error(State& state, const TaskId& id, const std::string& reason) {
  mail_administrators(state, *state.job(id.job), *state.task(id), reason);
  leave(state, id, [&](Task& task) {
    change_state(task, TaskEvent::failed);
    task.reason = reason;
  });
}

void erase_with_tasks(State& state, JobKey job_key) {
  check(state.tally(job_key).active == 0, "a job that is erased holds nothing");
  for (const auto number : waiting_tasks_of(state, job_key))
    erase_task(state, {job_key, number}, TaskEvent::dropped);
  if (!state.job(job_key)->holds.empty()) state.keep_holds(job_key, 0); // others may have them
  state.erase<Job>(job_key);
  free_tasks_behind(state, job_key);
}

void erase_job(State& state, JobKey job_key) {
  const auto reservation = state.job(job_key)->reservation_key;
  erase_with_tasks(state, job_key);
  if (reservation) let_go(state, reservation);
}

void erase_if_finished(State& state, JobKey job_key) {
  const auto* job = state.job(job_key);
  if (job && is_finished(*job, state.tally(job_key))) erase_job(state, job_key);
}

bool free_successors(State& state) {
  const bool any = bool(state.occupancy().successors.waits_for_nobody());
  while (const auto key = state.occupancy().successors.waits_for_nobody()) {
    if (!state.may_write(key, kept_bytes(*state.job(key)))) break;
    state.edit<Job>(key, [](Job& job) { job.waits_for.clear(); });
  }
  return any;
}

void drop_waiting_tasks(State& state, JobKey job_key, const std::vector<std::int64_t>& tasks) {
  state.edit<Job>(job_key, [&](Job& job) {
    job.fresh = tasks_without(job.fresh, tasks);
    job.blocked = tasks_without(job.blocked, tasks);
  });
  for (const auto number : waiting_tasks_of(state, job_key))
    if (std::binary_search(tasks.begin(), tasks.end(), number))
      erase_task(state, {job_key, number}, TaskEvent::dropped);
  free_tasks_behind(state, job_key);
}

void tell_of_waiting(State& state, const Job& job, const std::string& reason, Instant now) {
  const auto record = not_started(reason);
  bool any = !job.fresh.empty();
  if (any) account_waiting(state, job, 0, record, now);
  for (const auto& task : state.tasks_of(job.key)) {
    if (task.is_active()) continue;
    any = true;
    // What led to the error state is accounted for already.
    if (task.state == TaskState::pending) account_waiting(state, job, task.number, record, now);
  }
  if (any) mail(state, Occasion::job_aborted, job, 0, record);
}

void drop_all_waiting(State& state, JobKey job_key, const std::string& reason, Instant now) {
  tell_of_waiting(state, *state.job(job_key), reason, now);
  forget_waiting(state, job_key);
}

void forget_waiting(State& state, JobKey job_key) {
  state.edit<Job>(job_key, [](Job& job) { job.fresh.clear(), job.blocked.clear(); });
  for (const auto number : waiting_tasks_of(state, job_key))
    erase_task(state, {job_key, number}, TaskEvent::dropped);
  free_tasks_behind(state, job_key);
}

void finish_task(State& state, const TaskId& id, const ExitRecord& record, Instant now) {
  const auto& job = *state.job(id.job);
  const auto& task = *state.task(id);
  const auto reservation = reservation_of(job, task);
  write_accounting(state, job, task, record, now);
  want_repair(state);
  const auto left = task.grants;
  const auto gave_way_to = task.gives_way_to;
  erase_task(state, id, TaskEvent::finished);
  free_tasks_behind(state, id.job);
  note_running(state, left);
  erase_if_finished(state, id.job);
  if (reservation) let_go(state, reservation);
  gave_way(state, gave_way_to);
}

} // namespace almanac::rules
