#include "schema/session/launch_job.hpp"

namespace almanac::session {

LaunchJob launch_job(const Job& job, const Task& task) {
  return {job.key,
          job.number,
          job.owner,
          job.submitted,
          job.request,
          job.script_hash,
          job.reservation_key,
          {{task.number, task.state, task.attempt, task.restarted, task.reason, task.pe,
            task.grants, task.bookings, task.booked, task.limit, task.soft_limit, task.started,
            task.fence, task.job}},
          job.script_bytes};
}

Job job_in(const LaunchJob& order) {
  Job job;
  job.key = order.key, job.number = order.number, job.owner = order.owner;
  job.submitted = order.submitted, job.request = order.request;
  job.script_hash = order.script_hash, job.reservation_key = order.reservation_key;
  job.script_bytes = order.script_bytes;
  return job;
}

Task task_in(const LaunchTask& order) {
  Task task;
  task.job = order.job, task.number = order.number, task.state = order.state;
  task.attempt = order.attempt, task.restarted = order.restarted, task.reason = order.reason;
  task.pe = order.pe, task.grants = order.grants, task.bookings = order.bookings;
  task.booked = order.booked, task.limit = order.limit, task.soft_limit = order.soft_limit;
  task.started = order.started, task.fence = order.fence;
  return task;
}

} // namespace almanac::session
