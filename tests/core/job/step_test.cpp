#include "core/job/step.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

Task running(std::int64_t number, std::int64_t end) {
  Task task;
  task.job = {7}, task.number = number, task.state = TaskState::running, task.attempt = 1;
  task.booked = {Instant{10}, Instant{end}};
  return task;
}

Task resting(std::int64_t number, std::int64_t until) {
  Task task;
  task.job = {7}, task.number = number, task.rests_until = Instant{until};
  return task;
}

// An array that waits for its execution time, at 100.
Job waiting_until_100() {
  Job job;
  job.key = {7}, job.request.edit().execution_time = Instant{100}, job.fresh = {{1, 9, 1}};
  return job;
}

} // namespace

TEST(GivenAJobWithAnExecutionTime, WhenItComesThenAPassIsDueOnce) {
  JobMoments moments;
  moments.changed(waiting_until_100());
  EXPECT_EQ(moments.step({}, Instant{50}).look_again, Instant{100});
  EXPECT_FALSE(moments.step({}, Instant{50}).may_start);
  EXPECT_TRUE(moments.step(Instant{50}, Instant{100}).may_start);
  EXPECT_FALSE(moments.step(Instant{100}, Instant{101}).may_start);
  EXPECT_TRUE(moments.step(Instant{100}, Instant{101}).look_again.is_never());
}

TEST(GivenAJobWithAnExecutionTime, WhenNoTaskOfItWaitsThenNoPassIsDue) {
  auto job = waiting_until_100();
  job.fresh.clear();
  JobMoments moments;
  moments.changed(job);
  EXPECT_FALSE(moments.step(Instant{50}, Instant{100}).may_start);
}

TEST(GivenAHold, WhenItsStartComesThenAPassIsDue) {
  Job job;
  job.holds.resize(2);
  job.holds[0].window.start = Instant{20}, job.holds[1].window.start = Instant{30};
  JobMoments moments;
  moments.changed(job);
  EXPECT_EQ(moments.step({}, Instant{10}).look_again, Instant{20});
  EXPECT_TRUE(moments.step(Instant{10}, Instant{25}).may_start);
  EXPECT_EQ(moments.step(Instant{10}, Instant{25}).look_again, Instant{30});
}

TEST(GivenRunningTasks, WhenTheirTimeIsOverThenTheyAreOverdueUntilTheirRecordsChange) {
  const auto first = running(1, 20), second = running(2, 30);
  JobMoments moments;
  moments.changed(nullptr, &first), moments.changed(nullptr, &second);
  EXPECT_TRUE(moments.step({}, Instant{19}).overdue.empty());
  EXPECT_EQ(moments.step({}, Instant{19}).look_again, Instant{20});
  EXPECT_EQ(moments.step({}, Instant{20}).overdue, (std::vector{Attempt{{7}, 1, 1}}));
  EXPECT_EQ(moments.step({}, Instant{30}).overdue.size(), 2u);
  const auto booked_on = running(1, 90);
  moments.changed(&first, &booked_on);
  EXPECT_EQ(moments.step({}, Instant{30}).overdue, (std::vector{Attempt{{7}, 2, 1}}));
  moments.changed(&second, nullptr);
  EXPECT_TRUE(moments.step({}, Instant{30}).overdue.empty());
  EXPECT_EQ(moments.step({}, Instant{30}).look_again, Instant{90});
}

TEST(GivenRestingTasks, WhenARestIsOverThenAPassIsDue) {
  const auto first = resting(1, 20), second = resting(2, 30);
  JobMoments moments;
  moments.changed(nullptr, &first), moments.changed(nullptr, &second);
  EXPECT_FALSE(moments.step({}, Instant{19}).may_start);
  EXPECT_EQ(moments.step({}, Instant{19}).look_again, Instant{20});
  EXPECT_TRUE(moments.step(Instant{19}, Instant{20}).may_start);
  EXPECT_EQ(moments.step(Instant{19}, Instant{20}).look_again, Instant{30});
  EXPECT_FALSE(moments.step(Instant{20}, Instant{21}).may_start) << "it was seen";
}

// spec/beyond.md B12.31
TEST(GivenATaskThatIsCutShort, WhenItsMomentComesThenThePlannerIsToldUntilItEndsIt) {
  JobMoments moments;
  const auto before = running(1, 500);
  auto cut = before;
  cut.ended_at = Instant{300};
  moments.changed(nullptr, &before);
  moments.changed(&before, &cut);
  EXPECT_EQ(moments.step({}, Instant{200}).look_again, Instant{300});
  EXPECT_EQ(moments.step(Instant{200}, Instant{300}).overdue.size(), 1u);
  auto ending = cut;
  ending.deleting = true;
  moments.changed(&cut, &ending);
  EXPECT_TRUE(moments.step(Instant{300}, Instant{301}).overdue.empty());
  EXPECT_EQ(moments.step(Instant{300}, Instant{301}).look_again, Instant{500});
  moments.changed(&ending, nullptr);
  EXPECT_TRUE(moments.step(Instant{301}, Instant{600}).overdue.empty());
}
