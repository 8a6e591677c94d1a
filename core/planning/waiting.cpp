#include "core/planning/waiting.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/snapshot.hpp"
#include "core/request/submit_table.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace almanac {

namespace {

template <class Map, class Key> void count_down(Map& counts, const Key& key, std::int64_t by) {
  const auto it = counts.find(key);
  if (it != counts.end() && (it->second -= by) <= 0) counts.erase(it);
}

} // namespace

std::int64_t startable_tasks(const Configuration& configuration, const Job& job,
                             const TaskTally& tally) {
  auto count = waiting_unheld(job, tally) - static_cast<std::int64_t>(tally.resting.size());
  if (!job.task_holds.empty())
    for (const auto& [end, task] : tally.resting) count += job.task_holds.contains(task);
  if (!job.request->tasks.is_array()) return count;
  for (const auto most : {configuration.global().max_aj_instances, job.request->most_running})
    if (most > 0) count = std::min(count, most - tally.active);
  return job.starts_at_once() && count < job.fresh_tasks() ? 0 : std::max<std::int64_t>(0, count);
}

// The number of a reservation may be given again; its key is not. Tasks that start at once need places
// for as many. The host of submission decides nothing but the order by OwnersHost (sched_conf).
std::string class_name(const Job& job) {
  auto name = class_key(job.request) + to_string(job.reservation_key) + "\x1f" + job.owner.user +
              "\x1f" + primary_group(job.owner) + "\x1f" + job.owner.host;
  if (job.starts_at_once()) name += "\x1f" + std::to_string(job.request->tasks.count());
  return name;
}

std::int64_t bytes_beside(const std::vector<JobKey>& predecessors, std::size_t ranges_left) {
  return static_cast<std::int64_t>(predecessors.size() * 512 + ranges_left * sizeof(TaskRange));
}

// Out of all lists but that of its class; what follows puts it where it belongs now.
void Waiting::take_out(JobKey key, Member& member) {
  if (member.execution_time.seconds > 0) later_.erase({member.execution_time, key});
  member.execution_time = {};
  if (!member.rest_end.is_never()) rests_.erase({member.rest_end, key});
  member.rest_end = Instant::never();
  if (!member.hold_start.is_never()) {
    hold_starts_.erase({member.hold_start, key});
    ranked_.erase({member.rank, key});
    unsettled_.erase(key);
  }
  member.hold_start = Instant::never();
  holds_ -= std::exchange(member.holds, 0);
  if (member.beside > 0) count_down(kept_, member.user, member.beside);
  member.beside = 0;
}

void Waiting::leave_class(JobKey key) {
  const auto it = members_.find(key);
  if (it == members_.end()) return;
  auto& member = it->second;
  take_out(key, member);
  member.home->jobs.erase(key);
  --member.home->members;
  count_down(kept_, member.user, member.bytes);
  members_.erase(it);
}

void Waiting::find_home(const Job& job, Member& member) {
  if (member.home) return;
  member.home = &classes_[class_name(job)];
  ++member.home->members;
  member.home->party = Party::of(job);
  member.user = job.owner.user;
  member.bytes = kept_bytes(job.request) + job.script_bytes;
  kept_[member.user] += member.bytes;
}

void Waiting::refresh(const Configuration& configuration, JobKey key, const Job* job,
                      const TaskTally& tally, Instant now) {
  if (!job) return leave_class(key);
  auto& member = members_[key];
  const bool was_unsettled = unsettled_.contains(key);
  take_out(key, member);
  find_home(*job, member);
  member.beside = bytes_beside(job->waits_for,
                               job->fresh.size() + job->blocked.size() + job->task_holds.ranges());
  if (member.beside > 0) kept_[member.user] += member.beside;
  if (!tally.resting.empty()) member.rest_end = tally.resting.begin()->first;
  if (!member.rest_end.is_never()) rests_.insert({member.rest_end, key});
  bool is_in = false;
  if (is_eligible(*job, tally)) {
    if (!job->holds.empty()) {
      member.hold_start = job->holds.front().window.start;
      member.holds = static_cast<std::int64_t>(job->holds.size());
      holds_ += member.holds;
      hold_starts_.insert({member.hold_start, key});
      ranked_.insert({member.rank, key});
      if (was_unsettled) unsettled_.insert(key);
    } else if (job->request->execution_time > now) {
      member.execution_time = job->request->execution_time;
      later_.insert({member.execution_time, key});
    } else is_in = startable_tasks(configuration, *job, tally) > 0;
  }
  if (is_in == member.is_in) return;
  member.is_in = is_in;
  if (is_in) member.home->jobs.insert(key), member.home->dirty = true;
  else member.home->jobs.erase(key);
}

void Waiting::disturb() {
  for (auto it = classes_.begin(); it != classes_.end();) {
    it->second.dirty = !it->second.jobs.empty();
    it = it->second.members == 0 ? classes_.erase(it) : std::next(it);
  }
}

void Waiting::unsettle(std::optional<Statement> cause) {
  cause_ = std::move(cause);
  for (const auto& [rank, key] : ranked_) unsettled_.insert(key);
}

void Waiting::unsettle(Statement cause, const std::set<JobKey>& holders) {
  if (!holders.empty()) cause_ = std::move(cause);
  unsettled_.insert(holders.begin(), holders.end());
}

void Waiting::settle() { cause_.reset(); }

void Waiting::forget_class_requests() {
  for (auto& [name, one] : classes_) one.wanted = nullptr, one.queue.reset();
}

std::vector<JobKey> Waiting::startable(Instant now) const {
  std::vector<JobKey> keys;
  for (auto it = later_.begin(); it != later_.end() && it->first <= now; ++it)
    keys.push_back(it->second);
  return keys;
}

std::vector<JobKey> Waiting::rested(Instant now) const {
  std::vector<JobKey> keys;
  for (auto it = rests_.begin(); it != rests_.end() && it->first <= now; ++it)
    keys.push_back(it->second);
  return keys;
}

bool Waiting::take_early_ends(Instant now) {
  const bool freed = freed_until_ > now;
  freed_until_ = {};
  return freed;
}

void Waiting::rank(JobKey key, JobRank rank) {
  auto& member = members_.at(key);
  if (!member.hold_start.is_never()) {
    ranked_.erase({member.rank, key});
    ranked_.insert({rank, key});
  }
  member.rank = std::move(rank);
}

std::vector<JobKey> Waiting::due(Instant now) const {
  std::vector<JobKey> keys;
  for (auto it = hold_starts_.begin(); it != hold_starts_.end() && it->first <= now; ++it)
    keys.push_back(it->second);
  return keys;
}

// Its home is compared for itself, its rank is given.
bool Waiting::Member::is_like(const Member& other) const {
  const auto fields = [](const Member& m) {
    return std::tie(m.is_in, m.execution_time, m.rest_end, m.hold_start, m.holds, m.bytes, m.beside,
                    m.user);
  };
  return fields(*this) == fields(other);
}

bool Waiting::has_members_of(const Waiting& other) const {
  return std::equal(members_.begin(), members_.end(), other.members_.begin(), other.members_.end(),
                    [](const auto& a, const auto& b) {
                      return a.first == b.first && a.second.is_like(b.second);
                    });
}

// A class that has lost its last job stays for a while.
bool Waiting::has_classes_of(const Waiting& other) const {
  return std::all_of(other.classes_.begin(), other.classes_.end(), [&](const auto& named) {
    const auto& [name, one] = named;
    const auto it = classes_.find(name);
    if (it == classes_.end()) return one.members == 0;
    return one.jobs == it->second.jobs && one.members == it->second.members;
  });
}

bool Waiting::is_home_of(const Job& job, const Class& home) const {
  const auto it = classes_.find(class_name(job));
  return it != classes_.end() && &it->second == &home && home.party == Party::of(job);
}

bool Waiting::agrees(const Snapshot& state, Instant now) const {
  Waiting made;
  for (const auto& [key, job] : state.jobs()) {
    const auto it = members_.find(key);
    if (it == members_.end()) return false;
    const bool waits_for_its_time = it->second.execution_time.seconds > 0;
    made.members_[key].rank = it->second.rank;
    made.refresh(state.configuration(), key, job.get(), state.tally(key),
                 waits_for_its_time ? Instant{} : now);
  }
  const bool at_home = std::all_of(members_.begin(), members_.end(), [&](const auto& entry) {
    const auto* job = state.job(entry.first);
    return job && is_home_of(*job, *entry.second.home);
  });
  const bool unsettled_hold = std::all_of(unsettled_.begin(), unsettled_.end(), [&](JobKey key) {
    const auto it = members_.find(key);
    return it != members_.end() && it->second.holds > 0;
  });
  if (!at_home || !unsettled_hold) return false;
  const auto lists = [](const Waiting& w) {
    return std::tie(w.later_, w.rests_, w.hold_starts_, w.ranked_, w.kept_, w.holds_);
  };
  return lists(*this) == lists(made) && has_members_of(made) && has_classes_of(made) &&
         made.has_classes_of(*this);
}

std::int64_t Waiting::kept_bytes_of(const std::string& user) const {
  const auto it = kept_.find(user);
  return it == kept_.end() ? 0 : it->second;
}

} // namespace almanac
