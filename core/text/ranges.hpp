// Ranges of slots and of array tasks (spec/cli.md section 2, spec/scheduling.md section 7.2).
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct SlotRange {
  std::int64_t low = 1;
  std::int64_t high = 1; ///< 9'999'999 where the user left it open
  bool operator==(const SlotRange&) const = default;
};
inline constexpr std::int64_t most_slots = 9'999'999;
template <class V> void describe(V& visit, SlotRange& range) {
  visit("low", range.low);
  visit("high", range.high);
}

/// "4", "2-8", "4-", "-8", and lists of them.
Result<std::vector<SlotRange>> parse_slot_ranges(std::string_view text);
std::string print_slot_ranges(const std::vector<SlotRange>& ranges);
bool contains(const std::vector<SlotRange>& ranges, std::int64_t slots);
std::int64_t lowest(const std::vector<SlotRange>& ranges);
std::int64_t highest(const std::vector<SlotRange>& ranges);

/// The tasks first, first+step, … up to last. A job that is no array has 0-0:1.
struct TaskRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;

  bool is_array() const { return first > 0; }
  // Safe for whatever values: a range that valid() would refuse has no tasks.
  std::int64_t count() const;
  bool contains(std::int64_t task) const;
  bool operator==(const TaskRange&) const = default;
};
template <class V> void describe(V& visit, TaskRange& range) {
  visit("first", range.first);
  visit("last", range.last);
  visit("step", range.step);
}

/// "n", "n-m", "n-m:s"; 1 <= n <= m, s >= 1. The last task is one that the steps reach.
Result<TaskRange> parse_task_range(std::string_view text);
/// A list of them, "1,3,5-9:2": at least one. The last task of each is one that its steps reach.
Result<std::vector<TaskRange>> parse_task_ranges(std::string_view text);
/// The shortest list of ranges for ascending tasks: "1-3:1", "7,8", "2,5-9:2".
std::string print_tasks(const std::vector<std::int64_t>& tasks);
/// The ranges as they are: however many tasks they have, it takes no longer.
std::string print_tasks(const std::vector<TaskRange>& ranges);

} // namespace almanac
