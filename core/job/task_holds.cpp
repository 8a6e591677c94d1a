#include "core/job/task_holds.hpp"

#include <algorithm>
#include <iterator>

namespace almanac {

namespace {

bool begins_before(const TaskRange& left, const TaskRange& right) {
  return left.first < right.first;
}

bool has_task(const std::vector<TaskRange>& ranges, std::int64_t task) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), TaskRange{task, task, 1}, begins_before);
  return after != ranges.begin() && std::prev(after)->contains(task);
}

// Neighbours become one.
std::vector<TaskRange> joined(std::vector<TaskRange> ranges, std::int64_t step) {
  std::sort(ranges.begin(), ranges.end(), begins_before);
  std::vector<TaskRange> result;
  for (const auto& range : ranges)
    if (!result.empty() && range.first <= result.back().last + step)
      result.back().last = std::max(result.back().last, range.last);
    else result.push_back({range.first, range.last, step});
  return result;
}

} // namespace

bool TaskHolds::contains(std::int64_t task) const {
  return has_task(by_user, task) || has_task(by_operator, task) || has_task(by_system, task);
}

std::vector<TaskRange> tasks_with(const std::vector<TaskRange>& ranges,
                                  const std::vector<std::int64_t>& more, std::int64_t step) {
  auto all = ranges;
  for (const auto task : more)
    if (all.size() > ranges.size() && all.back().last + step == task) all.back().last = task;
    else all.push_back({task, task, step});
  return joined(std::move(all), step);
}

std::vector<TaskRange> tasks_not_held(const std::vector<TaskRange>& ranges, const TaskHolds& holds,
                                      const std::vector<TaskRange>& others) {
  if (ranges.empty() || (holds.empty() && others.empty())) return ranges;
  auto held = others;
  for (const auto* list : {&holds.by_user, &holds.by_operator, &holds.by_system})
    held.insert(held.end(), list->begin(), list->end());
  held = joined(std::move(held), ranges.front().step);
  std::vector<TaskRange> left;
  auto next = held.begin();
  for (auto range : ranges) {
    while (next != held.end() && next->last < range.first) ++next;
    for (auto it = next; it != held.end() && it->first <= range.last; ++it) {
      if (range.first < it->first)
        left.push_back({range.first, it->first - range.step, range.step});
      range.first = std::max(range.first, it->last + range.step);
    }
    if (range.first <= range.last) left.push_back(range);
  }
  return left;
}

} // namespace almanac
