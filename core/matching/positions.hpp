// What is known of hosts and queue instances by their places in the configuration, and which tasks
// are there: without looking up names.
#pragma once

#include "core/matching/instance_order.hpp"
#include "core/records/records.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

class Positions : public Index {
public:
  explicit Positions(const Records& records) : records_(records) {}

  using Index::changed;
  void rebuild(const Records& records) override;
  bool agrees(const Records& records) const override;
  void reconfigured(const Records& records, ChangedKinds kinds) override;
  void changed(const HostState* before, const HostState* after) override;
  void changed(const InstanceState* before, const InstanceState* after) override;
  void changed(const Task* before, const Task* after) override;

  const HostState& host_of(const QueueInstance& instance) const {
    return *hosts_[instance.host_index];
  }
  const InstanceState& condition_of(const QueueInstance& instance) const {
    return *instances_[position_of(records_.configuration(), instance)];
  }
  /// Counts changes of what is known of hosts and instances.
  std::uint64_t changes() const { return changes_; }
  /// Counts changes of which tasks are where.
  std::uint64_t task_changes() const { return task_changes_; }

  /// Job and task of all that hold something on the host, ascending.
  std::set<TaskId> tasks_on(const std::string& host) const;
  /// Tasks started lately on the host, in millionths of a task: each counts for what is left of
  /// load_adjustment_decay_time.
  std::int64_t started_lately(std::size_t host_index, Instant now) const;

  InstanceOrder order;
  std::set<std::size_t> stale; ///< hosts whose order is to be looked at
  bool all_are_stale = true;

private:
  void count(const Task& task, bool in_reservation, bool is_there);

  const Records& records_;
  std::vector<const HostState*> hosts_;         ///< by the index of the host
  std::vector<const InstanceState*> instances_; ///< by position
  /// Of the tasks on each host, by its index.
  std::vector<std::set<std::pair<Instant, TaskId>>> starts_;
  std::uint64_t changes_ = 0, task_changes_ = 0;
};

} // namespace almanac
