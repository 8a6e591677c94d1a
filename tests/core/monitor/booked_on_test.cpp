#include "core/monitor/booked_on.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

// One task runs, and is booked until 100.
WholeJob job_until_100() {
  WholeJob job;
  job.key = {7}, job.number = {7}, job.owner.user = "alice";
  Task task;
  task.number = 0, task.state = TaskState::running, task.attempt = 1;
  task.grants = {{{"all.q", "n1"}, 1}};
  task.booked = {Instant{40}, Instant{100}};
  job.tasks = {task};
  return job;
}

WholeJob with_end(WholeJob job, std::int64_t end) {
  job.tasks[0].booked.end = Instant{end};
  return job;
}

} // namespace

TEST(GivenALateTaskOfSomebodyElse, WhenItIsBookedOnThenThatIsAll) {
  const auto before = job_until_100();
  EXPECT_TRUE(is_only_booked_on(before, before, Instant{50})) << "nothing has changed";
  EXPECT_TRUE(is_only_booked_on(before, with_end(before, 160), Instant{100}));
  EXPECT_TRUE(is_only_booked_on(before, with_end(before, 161), Instant{160}));
}

TEST(GivenATaskOfSomebodyElse, WhenItsBookingMovesOtherwiseThenThatIsAChange) {
  const auto before = job_until_100();
  EXPECT_FALSE(is_only_booked_on(before, with_end(before, 160), Instant{99})) << "it is not late";
  EXPECT_FALSE(is_only_booked_on(before, with_end(before, 99), Instant{100})) << "it is shortened";
  EXPECT_FALSE(is_only_booked_on(before, with_end(before, 110), Instant{110})) << "it stays late";
  auto waiting = before;
  waiting.tasks[0].state = TaskState::pending;
  EXPECT_FALSE(is_only_booked_on(waiting, with_end(waiting, 160), Instant{100}));
  auto moved = with_end(before, 160);
  moved.tasks[0].booked.start = Instant{41};
  EXPECT_FALSE(is_only_booked_on(before, moved, Instant{100}));
}

TEST(GivenALateTaskOfSomebodyElse, WhenAnythingElseChangesWithItThenThatIsAChange) {
  const auto before = job_until_100();
  const auto after = with_end(before, 160);
  const auto differs = [&](auto change) {
    auto changed = after;
    change(changed);
    return !is_only_booked_on(before, changed, Instant{100});
  };
  EXPECT_TRUE(differs([](WholeJob& job) { job.tasks[0].deleting = true; }));
  EXPECT_TRUE(differs([](WholeJob& job) { job.tasks[0].suspended = true; }));
  EXPECT_TRUE(differs([](WholeJob& job) { job.tasks[0].grants[0].slots = 2; }));
  EXPECT_TRUE(differs([](WholeJob& job) { job.held_by_user = true; }));
  EXPECT_TRUE(differs([](WholeJob& job) { job.owner.user = "mallory"; }));
  EXPECT_TRUE(differs([](WholeJob& job) { job.request.priority = -1; }));
  EXPECT_TRUE(differs([](WholeJob& job) { job.tasks.clear(); }));
  EXPECT_TRUE(differs([](WholeJob& job) { job.tasks.push_back({}); }));
}
