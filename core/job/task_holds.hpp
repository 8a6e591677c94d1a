// Holds of single tasks of an array, beside those of its whole job.
//
// 1. Each list ascends, and its ranges do not overlap. All of them step as the job's tasks do, so
//    that what is left of one is worked out without counting its tasks.
// 2. A hold keeps a task from being placed. One that runs goes on; the hold counts once it waits again.
#pragma once

#include "core/base/describe.hpp"
#include "core/text/ranges.hpp"

#include <cstdint>
#include <vector>

namespace almanac {

struct TaskHolds {
  std::vector<TaskRange> by_user, by_operator, by_system;

  bool empty() const { return by_user.empty() && by_operator.empty() && by_system.empty(); }
  std::size_t ranges() const { return by_user.size() + by_operator.size() + by_system.size(); }
  bool contains(std::int64_t task) const;
  bool operator==(const TaskHolds&) const = default;
};
template <class V> void describe(V& visit, TaskHolds& h) {
  visit("by_user", h.by_user);
  visit("by_operator", h.by_operator);
  visit("by_system", h.by_system);
}

/// The ranges and these tasks, which ascend; all of them step by `step`.
std::vector<TaskRange> tasks_with(const std::vector<TaskRange>& ranges,
                                  const std::vector<std::int64_t>& more, std::int64_t step);

/// What is left of ascending ranges but for those on hold, and for others that stay behind, too. As
/// many ranges as all lists have together, at the most.
std::vector<TaskRange> tasks_not_held(const std::vector<TaskRange>& ranges, const TaskHolds& holds,
                                      const std::vector<TaskRange>& others = {});

} // namespace almanac
