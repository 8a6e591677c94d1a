#include "core/job/step.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool has_next_task(const WholeJob& job) {
  return !job.fresh.empty() ||
         std::any_of(job.tasks.begin(), job.tasks.end(), [](auto& t) { return t.is_next(); });
}

} // namespace

JobStep step(const WholeJob& job, Instant seen, Instant now) {
  JobStep result;
  const auto execution = job.request.execution_time;
  if (execution > now) result.look_again = execution;
  else if (execution > seen && has_next_task(job)) result.may_start = true;
  for (const auto& hold : job.holds) {
    if (hold.window.start > now) result.look_again = std::min(result.look_again, hold.window.start);
    else if (hold.window.start > seen) result.may_start = true;
  }
  for (const auto& task : job.tasks) {
    if (task.rests_until > now) result.look_again = std::min(result.look_again, task.rests_until);
    else if (task.rests_until > seen) result.may_start = true;
    if (!task.is_active() || task.booked.end.is_never()) continue;
    if (task.booked.end <= now) result.overdue.push_back({job.key, task.number, task.attempt});
    else result.look_again = std::min(result.look_again, task.booked.end);
  }
  return result;
}

} // namespace almanac
