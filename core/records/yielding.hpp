// Tasks that were told to end since a reservation that preempts begins (spec/plus.md P5.11).
#pragma once

#include "core/records/groups.hpp"
#include "core/records/index.hpp"

#include <vector>

namespace almanac {

/// By the reservation that waits for them.
class YieldingTasks : public ComparedIndex<YieldingTasks> {
public:
  using Index::changed;
  bool operator==(const YieldingTasks&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Task* before, const Task* after) override;

  bool any(ReservationKey key) const { return tasks_.contains(key); }
  /// Ascending.
  std::vector<TaskId> of(ReservationKey key) const { return tasks_.of(key); }

private:
  Groups<ReservationKey, TaskId> tasks_;
};

} // namespace almanac
