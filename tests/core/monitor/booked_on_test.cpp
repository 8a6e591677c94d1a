#include "core/monitor/booked_on.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

// It runs, and is booked until 100.
Task task_until_100() {
  Task task;
  task.job = {7}, task.number = 0, task.state = TaskState::running, task.attempt = 1;
  task.grants = {{{"all.q", "n1"}, 1}};
  task.booked = {Instant{40}, Instant{100}};
  return task;
}

Task with_end(Task task, std::int64_t end) {
  task.booked.end = Instant{end};
  return task;
}

} // namespace

TEST(GivenALateTaskOfSomebodyElse, WhenItIsBookedOnThenThatIsAll) {
  const auto before = task_until_100();
  EXPECT_TRUE(is_only_booked_on(before, before, Instant{50})) << "nothing has changed";
  EXPECT_TRUE(is_only_booked_on(before, with_end(before, 160), Instant{100}));
  EXPECT_TRUE(is_only_booked_on(before, with_end(before, 161), Instant{160}));
}

TEST(GivenATaskOfSomebodyElse, WhenItsBookingMovesOtherwiseThenThatIsAChange) {
  const auto before = task_until_100();
  EXPECT_FALSE(is_only_booked_on(before, with_end(before, 160), Instant{99})) << "it is not late";
  EXPECT_FALSE(is_only_booked_on(before, with_end(before, 99), Instant{100})) << "it is shortened";
  EXPECT_FALSE(is_only_booked_on(before, with_end(before, 110), Instant{110})) << "it stays late";
  auto waiting = before;
  waiting.state = TaskState::pending;
  EXPECT_FALSE(is_only_booked_on(waiting, with_end(waiting, 160), Instant{100}));
  auto moved = with_end(before, 160);
  moved.booked.start = Instant{41};
  EXPECT_FALSE(is_only_booked_on(before, moved, Instant{100}));
}

TEST(GivenALateTaskOfSomebodyElse, WhenAnythingElseChangesWithItThenThatIsAChange) {
  const auto before = task_until_100();
  const auto after = with_end(before, 160);
  const auto differs = [&](auto change) {
    auto changed = after;
    change(changed);
    return !is_only_booked_on(before, changed, Instant{100});
  };
  EXPECT_TRUE(differs([](Task& task) { task.deleting = true; }));
  EXPECT_TRUE(differs([](Task& task) { task.suspended = true; }));
  EXPECT_TRUE(differs([](Task& task) { task.grants[0].slots = 2; }));
  EXPECT_TRUE(differs([](Task& task) { task.job = {8}; }));
  EXPECT_TRUE(differs([](Task& task) { ++task.attempt; }));
}
