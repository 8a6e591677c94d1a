#include "core/planning/subordination.hpp"

#include "core/planning/suspension.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace almanac::rules {

namespace {

// A queue below another one, and how soon its tasks stand back.
struct Below {
  std::string queue;
  std::int64_t depth = 1, seq_no = 0;
  bool longest_first = false;
};

bool stands_back_before(const Below& left, const Below& right) {
  return std::tie(right.depth, right.seq_no, left.queue) <
         std::tie(left.depth, left.seq_no, right.queue);
}

class HostSubordination {
public:
  HostSubordination(State& state, std::string host, bool is_reconfigured)
      : state_(state), host_(std::move(host)) {
    for (const auto& queue : state_.configuration().subordinating())
      if (const auto* above = instance(queue))
        for (const auto& below : above->settings.subordinates.queues) below_.insert(below.queue);
    if (is_reconfigured)
      for (const auto& [queue, object] : state_.configuration().queues()) below_.insert(queue);
    for (const auto& id : state_.tasks_on(host_))
      if (const auto& task = *state_.task(id); task.is_active())
        for (const auto& grant : task.grants)
          if (grant.instance.host == host_)
            slots_[grant.instance.queue] += grant.slots, tasks_[grant.instance.queue].insert(id);
  }

  /// Whole instances.
  void settle_instances();
  /// Slot by slot, once what is suspended with its instance is.
  void settle_slots();
  bool has_changed() const { return has_changed_; }
  bool has_opened() const { return has_opened_; }

private:
  const QueueInstance* instance(const std::string& queue) const {
    return state_.configuration().instance(InstanceName{queue, host_});
  }
  void add_below(const QueueInstance& above, std::int64_t depth, std::vector<Below>& found,
                 std::set<std::string>& seen) const;
  std::vector<TaskId> in_order(const Below& queue) const;
  std::int64_t running_slots(const std::string& queue) const;
  bool runs(const Task& task) const;
  void stand_back(const QueueInstance& above);
  template <bool InstanceState::*flag> void put(const std::set<std::string>& queues);

  State& state_;
  std::string host_;
  std::set<std::string> below_;               ///< queues that stand back, or did
  std::map<std::string, std::int64_t> slots_; ///< in use, by queue
  std::map<std::string, std::set<TaskId>> tasks_;
  std::set<TaskId> standing_;  ///< slotwise
  std::set<std::string> full_; ///< queues below others that have no slot left for them
  bool has_changed_ = false, has_opened_ = false;
};

template <bool InstanceState::*flag>
void HostSubordination::put(const std::set<std::string>& queues) {
  for (const auto& queue : below_) {
    const auto* known = instance(queue);
    if (!known) continue;
    const bool wanted = queues.contains(queue);
    if (state_.instance(known->name).*flag == wanted) continue;
    state_.edit<InstanceState>(known->name, [&](InstanceState& state) { state.*flag = wanted; });
    has_changed_ = true, has_opened_ = has_opened_ || !wanted;
  }
}

void HostSubordination::settle_instances() {
  std::set<std::string> suspended;
  for (const auto& queue : state_.configuration().subordinating()) {
    const auto* above = instance(queue);
    if (!above || above->settings.subordinates.is_slotwise()) continue;
    const auto used = slots_.find(queue);
    if (used == slots_.end()) continue;
    for (const auto& below : above->settings.subordinates.queues) {
      const auto least = below.used_slots > 0 ? below.used_slots : above->settings.slots;
      if (below.queue != queue && used->second >= least) suspended.insert(below.queue);
    }
  }
  put<&InstanceState::subordinated>(suspended);
}

// Its own list, and those of the queues in it; each queue once.
void HostSubordination::add_below(const QueueInstance& above, std::int64_t depth,
                                  std::vector<Below>& found, std::set<std::string>& seen) const {
  for (const auto& below : above.settings.subordinates.queues) {
    const auto* known = instance(below.queue);
    if (!known || !seen.insert(below.queue).second) continue;
    found.push_back({below.queue, depth, below.seq_no, below.longest_first});
    if (known->settings.subordinates.is_slotwise()) add_below(*known, depth + 1, found, seen);
  }
}

bool HostSubordination::runs(const Task& task) const {
  return !task.suspended_by_user && !task.suspended_by_queue && !task.throttled &&
         !standing_.contains(task.id());
}

std::int64_t HostSubordination::running_slots(const std::string& queue) const {
  std::int64_t slots = 0;
  const auto tasks = tasks_.find(queue);
  if (tasks == tasks_.end()) return 0;
  for (const auto& id : tasks->second)
    if (const auto& task = *state_.task(id); runs(task))
      for (const auto& grant : task.grants)
        if (grant.instance == InstanceName{queue, host_}) slots += grant.slots;
  return slots;
}

// Those that may be suspended here, the first to stand back first.
std::vector<TaskId> HostSubordination::in_order(const Below& queue) const {
  std::vector<TaskId> tasks;
  if (const auto known = tasks_.find(queue.queue); known != tasks_.end())
    for (const auto& id : known->second) {
      const auto& task = *state_.task(id);
      if (runs(task) && task.grants.front().instance.host == host_) tasks.push_back(id);
    }
  std::stable_sort(tasks.begin(), tasks.end(), [&](const TaskId& left, const TaskId& right) {
    const auto a = state_.task(left)->booked.start, b = state_.task(right)->booked.start;
    return queue.longest_first ? a < b : b < a;
  });
  return tasks;
}

void HostSubordination::stand_back(const QueueInstance& above) {
  const auto most = above.settings.subordinates.most_slots;
  std::vector<Below> below;
  std::set<std::string> seen{above.name.queue};
  add_below(above, 1, below, seen);
  std::sort(below.begin(), below.end(), stands_back_before);
  auto running = running_slots(above.name.queue);
  for (const auto& one : below) running += running_slots(one.queue);
  const bool is_full = running >= most;
  for (const auto& one : below)
    for (const auto& id : in_order(one)) {
      if (running <= most) break;
      for (const auto& grant : state_.task(id)->grants)
        if (grant.instance.host == host_ && seen.contains(grant.instance.queue))
          running -= grant.slots;
      standing_.insert(id);
    }
  if (is_full)
    for (const auto& one : below) full_.insert(one.queue);
}

void HostSubordination::settle_slots() {
  for (const auto& queue : state_.configuration().subordinating())
    if (const auto* above = instance(queue); above && above->settings.subordinates.is_slotwise())
      stand_back(*above);
  for (const auto& [queue, tasks] : tasks_)
    for (const auto& id : tasks) {
      const auto& task = *state_.task(id);
      const bool is_here = task.grants.front().instance.host == host_;
      if (is_here && task.suspended_by_slots != standing_.contains(id))
        suspend_by_slots(state_, id, standing_.contains(id));
    }
  put<&InstanceState::outranked>(full_);
}

} // namespace

// What is settled on one host may count on another one, through a parallel task.
bool follow_subordination(State& state) {
  bool has_opened = false;
  for (auto ranked = state.take_ranked_hosts(); !ranked.hosts.empty();
       ranked = state.take_ranked_hosts())
    for (const auto& host : ranked.hosts) {
      HostSubordination subordination(state, host, ranked.are_reconfigured);
      subordination.settle_instances();
      if (subordination.has_changed()) follow_suspension(state, {host});
      subordination.settle_slots();
      has_opened = has_opened || subordination.has_opened();
    }
  return has_opened;
}

} // namespace almanac::rules
