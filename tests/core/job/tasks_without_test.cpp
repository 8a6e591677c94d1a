#include "core/job/job.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

using namespace almanac;

namespace {

std::set<std::int64_t> all_in(const std::vector<TaskRange>& ranges) {
  std::set<std::int64_t> numbers;
  for (const auto& range : ranges)
    for (auto task = range.first; task <= range.last; task += range.step) numbers.insert(task);
  return numbers;
}

} // namespace

RC_GTEST_PROP(GivenRangesOfTasks, WhenSomeAreTakenOutThenAllOthersAreLeft, ()) {
  std::vector<TaskRange> ranges;
  for (std::int64_t first = 1, i = *rc::gen::inRange(0, 5); i > 0; --i) {
    const std::int64_t step = *rc::gen::inRange(1, 4), count = *rc::gen::inRange(1, 20);
    ranges.push_back({first, first + (count - 1) * step, step});
    first = ranges.back().last + *rc::gen::inRange(1, 5);
  }
  const auto gone =
      *rc::gen::container<std::set<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 120));
  auto expected = all_in(ranges);
  for (const auto task : gone) expected.erase(task);
  const auto left = tasks_without(ranges, {gone.begin(), gone.end()});
  RC_ASSERT(all_in(left) == expected);
  for (const auto& range : left) RC_ASSERT(range.first <= range.last && range.step >= 1);
}

TEST(GivenRangesOfTasks, WhenNoneIsTakenOutThenTheyAreAsTheyWere) {
  const std::vector<TaskRange> ranges{{1, 9, 2}, {20, 30, 1}};
  EXPECT_EQ(tasks_without(ranges, {2, 10, 31}), ranges);
}
