#include "core/records/task_tally.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>

using namespace almanac;

namespace {

Task task(std::int64_t number, TaskState state) {
  Task made;
  made.job = {7}, made.number = number, made.state = state;
  return made;
}

} // namespace

TEST(GivenTasks, WhenCountedThenEachIsWhereItsStateSays) {
  const auto runs = task(1, TaskState::running), sent = task(2, TaskState::sent),
             waits = task(3, TaskState::pending), failed = task(4, TaskState::error);
  auto rests = task(5, TaskState::pending);
  rests.rests_until = Instant{10};
  TaskTallies tallies;
  for (const auto& one : std::vector{runs, sent, waits, failed, rests})
    tallies.changed(nullptr, &one);
  const auto& tally = tallies.of({7});
  EXPECT_EQ(tally.active, 2);
  EXPECT_EQ(tally.pending, 2);
  EXPECT_EQ(tally.in_error, 1);
  EXPECT_EQ(tally.next, (std::set<std::int64_t>{3}));
  EXPECT_EQ(tally.resting.size(), 1u);
  EXPECT_EQ(tallies.of({8}).all(), 0);
}

TEST(GivenAnArrayWithTasksThatCameBack, WhenAskedWhatIsNextThenTheyComeBeforeTheFreshOnes) {
  Job job;
  job.key = {7}, job.fresh = {{1, 3, 2}, {8, 9, 1}};
  const auto back = task(5, TaskState::pending);
  TaskTallies tallies;
  tallies.changed(nullptr, &back);
  const auto& tally = tallies.of({7});
  EXPECT_EQ(next_waiting(job, tally), 5);
  EXPECT_EQ(next_waiting(job, tally, 4), (std::vector<std::int64_t>{5, 1, 3, 8}));
  EXPECT_EQ(next_waiting(job, tally, 9).size(), 5u);
  EXPECT_EQ(waiting_tasks(job, tally), 5);
  EXPECT_TRUE(is_eligible(job, tally));
  job.held_by_user = true;
  EXPECT_FALSE(is_eligible(job, tally));
  EXPECT_FALSE(is_finished(job, tally));
  EXPECT_TRUE(is_finished(Job(), TaskTally()));
  EXPECT_EQ(next_waiting(Job(), TaskTally()), -1);
}

RC_GTEST_PROP(GivenAnyChanges, WhenCountedOneByOneThenTheTallyIsThatOfWhatIsThere, ()) {
  std::map<std::int64_t, Task> there;
  TaskTallies tallies;
  const auto steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) {
    const auto number = *rc::gen::inRange<std::int64_t>(1, 6);
    const auto known = there.find(number);
    std::optional<Task> after;
    if (*rc::gen::inRange(0, 4)) {
      after = task(number, *rc::gen::element(TaskState::pending, TaskState::sent,
                                             TaskState::running, TaskState::error));
      after->deleting = *rc::gen::arbitrary<bool>();
      after->rests_until = Instant{*rc::gen::element<std::int64_t>(0, 0, 5)};
    }
    if (known == there.end() && !after) continue;
    tallies.changed(known == there.end() ? nullptr : &known->second, after ? &*after : nullptr);
    if (after) there[number] = *after;
    else there.erase(number);
  }
  TaskTallies anew;
  for (const auto& [number, one] : there) anew.changed(nullptr, &one);
  RC_ASSERT(tallies.of({7}) == anew.of({7}));
}
