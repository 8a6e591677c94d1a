#include "core/job/step.hpp"

#include <algorithm>
#include <limits>

namespace almanac {

namespace {

Attempt attempt_of(const Task& task) { return {task.job, task.number, task.attempt}; }

// When the planner has to look at an active task next.
Instant end_of(const Task& task) {
  const bool is_to_be_ended = task.ended_at.seconds > 0 && !task.deleting;
  return is_to_be_ended ? std::min(task.booked.end, task.ended_at) : task.booked.end;
}

} // namespace

void JobMoments::changed(const Job& job) {
  execution_time_ = job.request->execution_time;
  has_fresh_ = !job.fresh.empty();
  hold_starts_.clear();
  for (const auto& hold : job.holds) hold_starts_.push_back(hold.window.start);
}

void JobMoments::changed(const Task* before, const Task* after) {
  if (before) take_out(*before);
  if (after) enter(*after);
}

void JobMoments::enter(const Task& task) {
  if (task.is_next()) ++next_;
  if (const auto end = end_of(task); task.is_active() && !end.is_never())
    ends_.insert({end, attempt_of(task)});
  if (task.rests_until.seconds > 0) rests_.insert({task.rests_until, attempt_of(task)});
}

void JobMoments::take_out(const Task& task) {
  if (task.is_next()) --next_;
  ends_.erase({end_of(task), attempt_of(task)});
  rests_.erase({task.rests_until, attempt_of(task)});
}

JobStep JobMoments::step(Instant seen, Instant now) const {
  JobStep result;
  const auto look_at = [&](Instant moment) {
    if (moment > now) result.look_again = std::min(result.look_again, moment);
    else if (moment > seen) result.may_start = true;
  };
  if (execution_time_ > now || has_fresh_ || next_ > 0) look_at(execution_time_);
  for (const auto start : hold_starts_) look_at(start);
  const Attempt last{JobKey{std::numeric_limits<std::int64_t>::max()}, 0, 0};
  for (auto it = rests_.upper_bound({seen, last}); it != rests_.end(); ++it) {
    look_at(it->first);
    if (it->first > now) break;
  }
  auto end = ends_.begin();
  for (; end != ends_.end() && end->first <= now; ++end) result.overdue.push_back(end->second);
  if (end != ends_.end()) look_at(end->first);
  return result;
}

} // namespace almanac
