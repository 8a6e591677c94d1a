#include "core/job/job.hpp"

#include <algorithm>

namespace almanac {

std::int64_t Job::fresh_tasks() const {
  std::int64_t count = 0;
  for (const auto& range : fresh) count += range.count();
  return count;
}

std::int64_t Job::blocked_tasks() const {
  std::int64_t count = 0;
  for (const auto& range : blocked) count += range.count();
  return count;
}

bool Job::is_blocked(std::int64_t task) const {
  return std::any_of(blocked.begin(), blocked.end(),
                     [&](const TaskRange& range) { return range.contains(task); });
}

bool Job::take_fresh(std::int64_t task) {
  for (auto it = fresh.begin(); it != fresh.end(); ++it) {
    if (!it->contains(task)) continue;
    const auto range = *it;
    auto at = fresh.erase(it);
    if (task < range.last) at = fresh.insert(at, {task + range.step, range.last, range.step});
    if (task > range.first) fresh.insert(at, {range.first, task - range.step, range.step});
    return true;
  }
  return false;
}

std::vector<TaskRange> tasks_without(const std::vector<TaskRange>& ranges,
                                     const std::vector<std::int64_t>& gone) {
  std::vector<TaskRange> left;
  for (const auto& range : ranges) {
    auto first = range.first;
    const auto end = std::upper_bound(gone.begin(), gone.end(), range.last);
    for (auto it = std::lower_bound(gone.begin(), end, range.first); it != end; ++it) {
      if (!range.contains(*it)) continue;
      if (first < *it) left.push_back({first, *it - range.step, range.step});
      first = *it + range.step;
    }
    if (first <= range.last) left.push_back({first, range.last, range.step});
  }
  return left;
}

} // namespace almanac
