#include "core/planning/transitions.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/accounting.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/reservation_transitions.hpp"

#include <algorithm>
#include <set>

namespace almanac::rules {

namespace {

// Gives back what the task holds; it is then like one that waits.
void give_back(State& state, const Job& job, Task& task) {
  state.release(job, task);
  if (job.reservation_key) state.want_repair(); // what it held may be replaced now
  task.grants.clear(), task.bookings.clear();
  task.booked = {};
  task.pe.clear();
  task.started = {};
  task.deleting = task.suspended = task.throttled = false;
  task.after_end = AfterEnd::gone;
}

} // namespace

void return_to_queue(State& state, JobKey job_key, std::int64_t number, bool restarted,
                     const std::string& reason) {
  auto& job = state.edit_job(job_key);
  auto& task = *job.find(number);
  give_back(state, job, task);
  task.state = TaskState::pending;
  task.restarted = task.restarted || restarted;
  task.reason = reason;
}

void put_into_error(State& state, JobKey job_key, std::int64_t number, const std::string& reason) {
  auto& job = state.edit_job(job_key);
  auto& task = *job.find(number);
  give_back(state, job, task);
  task.state = TaskState::error;
  task.reason = reason;
}

void erase_job(State& state, JobKey job_key) {
  const auto reservation = state.job(job_key)->reservation_key;
  state.erase_job(job_key);
  if (reservation) remove_if_done(state, reservation);
}

void erase_if_finished(State& state, JobKey job_key) {
  const auto* job = state.job(job_key);
  if (job && job->is_finished()) erase_job(state, job_key);
}

bool free_successors(State& state) {
  const bool any = bool(state.waits_for_nobody());
  while (const auto key = state.waits_for_nobody()) {
    if (!state.may_write(key, kept_bytes(*state.job(key)))) break;
    state.stop_waiting(key);
  }
  return any;
}

void drop_waiting_tasks(State& state, JobKey job_key, const std::vector<std::int64_t>& tasks) {
  auto& job = state.edit_job(job_key);
  job.fresh = tasks_without(job.fresh, tasks);
  std::erase_if(job.tasks, [&](const Task& task) {
    return !task.is_active() && std::binary_search(tasks.begin(), tasks.end(), task.number);
  });
}

void tell_of_waiting(State& state, const Job& job, const std::string& reason, Instant now) {
  const auto record = not_started(reason);
  bool any = !job.fresh.empty();
  if (any) account_waiting(state, job, 0, record, now);
  for (const auto& task : job.tasks) {
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
  auto& job = state.edit_job(job_key);
  job.fresh.clear();
  std::erase_if(job.tasks, [](const Task& task) { return !task.is_active(); });
}

void finish_task(State& state, JobKey job_key, std::int64_t number, const ExitRecord& record,
                 Instant now) {
  auto& job = state.edit_job(job_key);
  auto& task = *job.find(number);
  const auto reservation = job.reservation_key;
  write_accounting(state, job, task, record, now);
  give_back(state, job, task);
  std::erase_if(job.tasks, [&](const Task& t) { return t.number == number; });
  erase_if_finished(state, job_key);
  if (reservation) remove_if_done(state, reservation);
}

std::size_t follow_suspension(State& state, const std::set<std::string>& hosts) {
  std::vector<TaskId> changed;
  const auto is_suspended = [&](const Task& task) {
    return task.throttled ||
           std::any_of(task.grants.begin(), task.grants.end(), [&](const Grant& grant) {
             const auto& instance = state.instance(grant.instance);
             return instance.suspended || instance.opening == Opening::suspended;
           });
  };
  std::set<TaskId> tasks;
  for (const auto& host : hosts) tasks.merge(state.tasks_on(host));
  for (const auto& [key, number] : tasks) {
    const auto& task = *state.job(key)->find(number);
    if (task.is_active() && task.suspended != is_suspended(task)) changed.push_back({key, number});
  }
  for (const auto& [key, number] : changed) {
    auto& job = state.edit_job(key);
    auto& task = *job.find(number);
    task.suspended = !task.suspended;
    if (task.suspended) mail(state, Occasion::job_suspended, job, task);
  }
  return tasks.size();
}

} // namespace almanac::rules
