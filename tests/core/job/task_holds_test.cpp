#include "core/job/task_holds.hpp"

#include <gtest/gtest.h>

using namespace almanac;

using Ranges = std::vector<TaskRange>;

TEST(GivenRangesOfTasks, WhenTasksAreAddedThenNeighboursBecomeOne) {
  EXPECT_EQ(tasks_with({}, {2, 3, 5}, 1), (Ranges{{2, 3, 1}, {5, 5, 1}}));
  EXPECT_EQ(tasks_with({{2, 3, 1}, {6, 9, 1}}, {1, 4, 5}, 1), (Ranges{{1, 9, 1}}));
  EXPECT_EQ(tasks_with({{2, 3, 1}}, {2, 3}, 1), (Ranges{{2, 3, 1}}));
  EXPECT_EQ(tasks_with({{1, 4, 3}}, {7, 13}, 3), (Ranges{{1, 7, 3}, {13, 13, 3}}));
}

TEST(GivenHoldsOfTasks, WhenWhatIsFreeIsAskedThenEachKindOfHoldCounts) {
  TaskHolds holds;
  EXPECT_EQ(tasks_not_held({{1, 9, 1}}, holds), (Ranges{{1, 9, 1}}));
  holds.by_user = {{2, 3, 1}}, holds.by_operator = {{3, 5, 1}}, holds.by_system = {{9, 9, 1}};
  EXPECT_EQ(tasks_not_held({{1, 9, 1}}, holds), (Ranges{{1, 1, 1}, {6, 8, 1}}));
  EXPECT_EQ(tasks_not_held({{1, 2, 1}, {4, 4, 1}, {8, 12, 1}}, holds),
            (Ranges{{1, 1, 1}, {8, 8, 1}, {10, 12, 1}}));
  EXPECT_TRUE(tasks_not_held({{2, 5, 1}, {9, 9, 1}}, holds).empty());
  for (const std::int64_t task : {2, 3, 5, 9}) EXPECT_TRUE(holds.contains(task)) << task;
  for (const std::int64_t task : {1, 6, 8, 10}) EXPECT_FALSE(holds.contains(task)) << task;
}

// Hold by hold, against the tasks one by one.
TEST(GivenHoldsOfTasks, WhenTheTasksStepThenTheResultIsThatOfEachTask) {
  constexpr std::int64_t step = 3;
  for (int mask = 0; mask < 1 << 7; ++mask) {
    TaskHolds holds;
    std::vector<std::int64_t> held;
    for (int i = 0; i < 7; ++i)
      if (mask >> i & 1) held.push_back(1 + i * step);
    holds.by_user = tasks_with({}, held, step);
    std::size_t free = 0;
    for (const auto& range : tasks_not_held({{1, 19, step}}, holds))
      for (auto task = range.first; task <= range.last; task += step, ++free)
        EXPECT_FALSE(holds.contains(task));
    EXPECT_EQ(free + held.size(), 7u);
  }
}
