#include "core/job/task_machine.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

using namespace almanac;

namespace {

std::vector<TaskState> all_states() {
  return {TaskState::pending, TaskState::sent, TaskState::running, TaskState::error};
}
std::vector<TaskEvent> all_events() {
  std::vector<TaskEvent> events;
  for (auto i = 0; i <= static_cast<int>(last_of<TaskEvent>); ++i)
    events.push_back(static_cast<TaskEvent>(i));
  return events;
}

} // namespace

TEST(GivenATask, WhenAllGoesWellThenItIsPlacedForkedAndFinished) {
  EXPECT_EQ(next(TaskState::pending, TaskEvent::placed), TaskState::sent);
  EXPECT_EQ(next(TaskState::sent, TaskEvent::forked), TaskState::running);
  EXPECT_TRUE(ends(TaskState::running, TaskEvent::finished));
}

TEST(GivenATaskOnAHost, WhenItComesBackThenItWaitsAgainOrNeedsItsUser) {
  for (const auto state : {TaskState::sent, TaskState::running}) {
    EXPECT_EQ(next(state, TaskEvent::returned), TaskState::pending);
    EXPECT_EQ(next(state, TaskEvent::failed), TaskState::error);
    EXPECT_TRUE(ends(state, TaskEvent::finished));
  }
  EXPECT_EQ(next(TaskState::error, TaskEvent::cleared), TaskState::pending);
}

TEST(GivenATaskThatWaits, WhenItIsDroppedThenItIsGoneAndOnlyThen) {
  for (const auto state : {TaskState::pending, TaskState::error}) {
    EXPECT_TRUE(ends(state, TaskEvent::dropped));
    EXPECT_FALSE(ends(state, TaskEvent::finished));
  }
  for (const auto state : {TaskState::sent, TaskState::running})
    EXPECT_FALSE(ends(state, TaskEvent::dropped));
}

TEST(GivenATaskThatRuns, WhenItIsPlacedOrForkedAgainThenTheTableNamesNothing) {
  for (const auto event : {TaskEvent::placed, TaskEvent::forked, TaskEvent::cleared}) {
    EXPECT_EQ(next(TaskState::running, event), std::nullopt);
    EXPECT_FALSE(ends(TaskState::running, event));
  }
  EXPECT_EQ(next(TaskState::error, TaskEvent::placed), std::nullopt);
}

TEST(GivenTheTable, WhenItIsFollowedThenEachStateIsReachedAndCanBeLeftForGood) {
  std::set<TaskState> reached{TaskState::pending};
  for (std::size_t round = 0; round < all_states().size(); ++round)
    for (const auto state : std::set(reached))
      for (const auto event : all_events())
        if (const auto to = next(state, event)) reached.insert(*to);
  EXPECT_EQ(reached.size(), all_states().size());
  for (const auto state : all_states()) {
    std::size_t ways_out = 0;
    for (const auto event : all_events()) ways_out += ends(state, event);
    EXPECT_EQ(ways_out, 1u);
  }
}
