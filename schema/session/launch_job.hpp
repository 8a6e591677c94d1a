// What an agent needs of a job and of the one task that it is to launch.
//
// On the wire they are a Job and a Task, which the agents of earlier versions take them for. In the
// store these may change: this stays. What waits of a job, and what is planned for it, no agent
// hears of.
#pragma once

#include "core/job/job.hpp"
#include "core/job/task.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac::session {

struct LaunchTask {
  std::int64_t number = 0; ///< 0 for a job that is no array
  TaskState state = TaskState::pending;
  std::int64_t attempt = 0;
  bool restarted = false;
  std::string reason; ///< of the last failed launch
  std::string pe;
  std::vector<Grant> grants;
  std::vector<Booking> bookings;
  Window booked;
  Duration limit = Duration::endless(); ///< wall clock
  Duration soft_limit = Duration::endless();
  Instant started;
  Duration fence; ///< it ends itself when its host is cut off for so long; 0: never
  JobKey job;
};
template <class V> void describe(V& visit, LaunchTask& t) {
  visit("number", t.number);
  visit("state", t.state);
  visit("attempt", t.attempt);
  visit("restarted", t.restarted);
  visit("reason", t.reason);
  visit("pe", t.pe);
  visit("grants", t.grants);
  visit("bookings", t.bookings);
  visit("booked", t.booked);
  visit("limit", t.limit);
  visit("soft_limit", t.soft_limit);
  visit("started", t.started);
  visit("fence", t.fence);
  visit("job", t.job);
}

struct LaunchJob {
  JobKey key;
  JobNumber number;
  Caller owner;
  Instant submitted;
  Shared<JobRequest> request; ///< without the script's content
  std::string script_hash;
  ReservationKey reservation_key;
  std::vector<LaunchTask> tasks; ///< one
  std::int64_t script_bytes = 0;
};
template <class V> void describe(V& visit, LaunchJob& j) {
  visit("key", j.key);
  visit("number", j.number);
  visit("owner", j.owner);
  visit("submitted", j.submitted);
  visit("request", j.request);
  visit("script_hash", j.script_hash);
  visit("reservation_key", j.reservation_key);
  visit("tasks", j.tasks);
  visit("script_bytes", j.script_bytes);
}

/// Of their records.
LaunchJob launch_job(const Job& job, const Task& task);
/// As far as they are in an order; everything else is as in a new record.
Job job_in(const LaunchJob& order);
Task task_in(const LaunchTask& order);

} // namespace almanac::session
