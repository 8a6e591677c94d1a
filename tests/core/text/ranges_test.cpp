#include "core/text/ranges.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace almanac {
namespace {

constexpr auto lowest_number = std::numeric_limits<std::int64_t>::min();
constexpr auto highest_number = std::numeric_limits<std::int64_t>::max();

TEST(GivenATaskRange, WhenItIsOrdinaryThenItsTasksAreCounted) {
  const TaskRange range{1, 9, 4};
  EXPECT_EQ(range.count(), 3);
  EXPECT_TRUE(range.contains(5));
  EXPECT_FALSE(range.contains(6));
  EXPECT_FALSE(range.contains(13));
}

TEST(GivenATaskRange, WhenItDoesNotMoveOrCountsBackwardsThenItHasNoTasks) {
  for (const auto& range : {TaskRange{1, 5, 0}, TaskRange{1, 5, -1}, TaskRange{1, 5, lowest_number},
                            TaskRange{5, 1, 1}, TaskRange{highest_number, lowest_number, 1}}) {
    EXPECT_EQ(range.count(), 0);
    for (const auto task : {std::int64_t{1}, std::int64_t{5}, lowest_number, highest_number})
      EXPECT_FALSE(range.contains(task));
  }
}

TEST(GivenATaskRange, WhenItsNumbersAreExtremeThenNothingOverflows) {
  const TaskRange all{lowest_number, highest_number, 1};
  EXPECT_EQ(all.count(), highest_number);
  EXPECT_TRUE(all.contains(0));
  const TaskRange ends{lowest_number, highest_number, highest_number};
  EXPECT_EQ(ends.count(), 3);
  EXPECT_TRUE(ends.contains(-1));
  EXPECT_FALSE(ends.contains(highest_number));
}

} // namespace
} // namespace almanac
