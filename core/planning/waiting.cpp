#include "core/planning/waiting.hpp"

#include "core/planning/priority.hpp"
#include "core/request/resources.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

template <class Map, class Key> void count_down(Map& counts, const Key& key, std::int64_t by) {
  const auto it = counts.find(key);
  if (it != counts.end() && (it->second -= by) <= 0) counts.erase(it);
}

// Whether the array may have one more task running.
bool below_its_limits(const Configuration& configuration, const Job& job) {
  if (!job.request.tasks.is_array()) return true;
  const auto active = job.active_tasks();
  const auto most = configuration.global().max_aj_instances;
  return (most == 0 || active < most) &&
         (job.request.most_running == 0 || active < job.request.most_running);
}

} // namespace

std::string class_name(const Job& job) {
  const auto& request = job.request;
  return join({print_resource_requests(request.resources), join(request.queues, ","), request.pe,
               print_slot_ranges(request.slots), std::to_string(job.reservation_key),
               job.owner.user, job.owner.group, std::to_string(request.priority),
               std::to_string(request.deadline.seconds), request.reserve ? "R" : ""},
              "\x1f");
}

void Waiting::leave_class(std::int64_t key, Member& member) {
  if (!member.waits_in) return;
  member.waits_in->jobs.erase(key);
  if (member.waits_in->jobs.empty()) member.waits_in->dirty = false;
  member.waits_in = nullptr;
}

void Waiting::leave(std::int64_t key, Member& member) {
  if (member.execution_time.seconds > 0) later_.erase({member.execution_time, key});
  member.execution_time = {};
  if (!member.hold_start.is_never()) {
    hold_starts_.erase({member.hold_start, key});
    ranked_.erase({member.rank, key});
    unsettled_.erase(key);
    holder_wishes_.erase(key);
  }
  member.hold_start = Instant::never();
  if (member.active > 0) count_down(running_, member.user, member.active);
  count_down(urgencies_, member.urgency, 1);
  with_deadline_ -= member.has_deadline;
}

void Waiting::refresh(const Configuration& configuration, std::int64_t key, const Job* job,
                      Instant now) {
  auto it = members_.find(key);
  const bool was_unsettled = unsettled_.contains(key);
  if (it != members_.end()) leave(key, it->second);
  if (!job) {
    if (it == members_.end()) return;
    leave_class(key, it->second);
    members_.erase(it);
    return;
  }
  auto& member = it != members_.end() ? it->second : members_[key];
  member.user = job->owner.user;
  member.active = job->active_tasks();
  if (member.active > 0) running_[member.user] += member.active;
  member.urgency = resource_urgency(configuration, job->request);
  ++urgencies_[member.urgency];
  member.has_deadline = job->request.deadline.seconds > 0;
  with_deadline_ += member.has_deadline;
  if (!job->is_eligible()) return leave_class(key, member);
  if (!job->holds.empty()) {
    leave_class(key, member);
    member.hold_start = job->holds.front().window.start;
    hold_starts_.insert({member.hold_start, key});
    ranked_.insert({member.rank, key});
    if (was_unsettled) unsettled_.insert(key);
  } else if (job->request.execution_time > now) {
    leave_class(key, member);
    member.execution_time = job->request.execution_time;
    later_.insert({member.execution_time, key});
  } else if (!below_its_limits(configuration, *job)) leave_class(key, member);
  else {
    auto& joined = classes_[class_name(*job)];
    if (member.waits_in == &joined) return;
    leave_class(key, member);
    member.waits_in = &joined;
    joined.jobs.insert(key);
    joined.dirty = true;
  }
}

void Waiting::disturb() {
  for (auto it = classes_.begin(); it != classes_.end();) {
    it->second.dirty = !it->second.jobs.empty();
    it = it->second.jobs.empty() ? classes_.erase(it) : std::next(it);
  }
}

void Waiting::unsettle(const std::string& cause) {
  cause_ = cause;
  for (const auto& [rank, key] : ranked_) unsettled_.insert(key);
}

void Waiting::settle() { cause_.clear(); }

void Waiting::forget_wishes() {
  for (auto& [name, one] : classes_) one.wish = nullptr;
  holder_wishes_.clear();
}

void Waiting::admit_due(const Configuration& configuration, Instant now,
                        const std::map<std::int64_t, std::shared_ptr<const Job>>& jobs) {
  while (!later_.empty() && later_.begin()->first <= now) {
    const auto key = later_.begin()->second;
    refresh(configuration, key, jobs.at(key).get(), now);
  }
}

Waiting::Class* Waiting::class_of(std::int64_t key) {
  const auto it = members_.find(key);
  return it == members_.end() ? nullptr : it->second.waits_in;
}

bool Waiting::take_freed(Instant now) {
  const bool freed = freed_until_ > now;
  freed_until_ = {};
  return freed;
}

void Waiting::rank(std::int64_t key, std::int64_t rank) {
  auto& member = members_.at(key);
  if (!member.hold_start.is_never()) {
    ranked_.erase({member.rank, key});
    ranked_.insert({rank, key});
  }
  member.rank = rank;
}

std::vector<std::int64_t> Waiting::due(Instant now) const {
  std::vector<std::int64_t> keys;
  for (auto it = hold_starts_.begin(); it != hold_starts_.end() && it->first <= now; ++it)
    keys.push_back(it->second);
  return keys;
}

std::int64_t Waiting::running_tasks(const std::string& user) const {
  const auto it = running_.find(user);
  return it == running_.end() ? 0 : it->second;
}

} // namespace almanac
