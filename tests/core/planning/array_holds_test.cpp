// What is held for the tasks of arrays that wait.
#include "holds_fixture.hpp"

using namespace almanac;

namespace {

using GivenHoldsOfArrays = HoldsFixture;

JobRequest array_of(JobRequest request, std::int64_t tasks) {
  request.tasks = {1, tasks, 1};
  return request;
}

} // namespace

TEST_F(GivenHoldsOfArrays, WhenAnArrayWaitsThenEachOfItsNextTasksHasOne) {
  hosts(1, 2);
  scheduler({{"max_reservation", "3"}, {"params", "DURATION_OFFSET=0,MONITOR=1"}});
  const auto running = submit(alice, on_slots(job("run", "100"), "smp", 2));
  pass();
  const auto array = submit(alice, array_of(holding("array", "50"), 5));
  const auto schedule = handle(Pass{}).schedule;
  const auto starts = [&] {
    std::vector<std::int64_t> all;
    for (const auto& hold : find(array)->holds) all.push_back((hold.window.start - now).seconds);
    return all;
  };
  EXPECT_EQ(starts(), (std::vector<std::int64_t>{100, 100, 150}));
  for (const char* line : {"2:1:RESERVING:1000100:50:Q:all.q@h1:slots:1.000000",
                           "2:2:RESERVING:1000100:50:Q:all.q@h1:slots:1.000000",
                           "2:3:RESERVING:1000150:50:Q:all.q@h1:slots:1.000000"})
    EXPECT_EQ(std::count(schedule.begin(), schedule.end(), line), 1) << line;
  start(running);
  now = now + Duration{20};
  end(running);
  pass();
  EXPECT_EQ(find(array)->active_tasks(), 2);
  EXPECT_EQ(starts(), (std::vector<std::int64_t>{50, 50, 100})) << "the others move up";
  EXPECT_EQ(cause(array), "");
}

TEST_F(GivenHoldsOfArrays, WhenAHigherPriorityComesThenAnArrayGivesItItsLastHold) {
  hosts(1, 1);
  scheduler({{"max_reservation", "2"}, {"params", "DURATION_OFFSET=0"}});
  submit(alice, job("run", "100"));
  pass();
  const auto array = submit(alice, array_of(holding("array", "50"), 3));
  pass();
  ASSERT_EQ(find(array)->holds.size(), 2U);
  auto request = holding("high", "70");
  request.priority = 100;
  const auto high = submit(root, request);
  pass();
  EXPECT_EQ(held_in(high), 100);
  ASSERT_EQ(find(array)->holds.size(), 1U);
  EXPECT_EQ(held_in(array), 170);
  command(root, DeleteJobs{{std::to_string(high)}, {}, {}, false});
  pass();
  EXPECT_EQ(find(array)->holds.size(), 2U) << "there is one to give again";
  EXPECT_EQ(held_in(array), 100);
}

TEST_F(GivenHoldsOfArrays, WhenPrioritiesAreScaledAnewThenAnArrayTakesNoHoldOfItsEquals) {
  hosts(1, 1);
  scheduler({{"max_reservation", "4"}, {"params", "DURATION_OFFSET=0"}});
  submit(alice, job("runs", "100"));
  pass();
  std::vector<std::int64_t> waiting;
  for (int i = 0; i < 3; ++i) waiting.push_back(submit(alice, holding("single", "100")));
  waiting.push_back(submit(alice, array_of(holding("array", "100"), 5)));
  const auto urgent = submit(alice, on_slots(job("urgent", "100"), "smp", 2));
  pass();
  const auto held = [&] {
    std::vector<std::int64_t> starts;
    for (const auto number : waiting) starts.push_back(held_in(number));
    return starts;
  };
  const std::vector<std::int64_t> promised{100, 200, 300, 400};
  ASSERT_EQ(held(), promised);
  command(alice, DeleteJobs{{std::to_string(urgent)}, {}, {}, false});
  command(root, ModifyQueues{QueueAction::suspend, {"all.q"}});
  command(root, ModifyQueues{QueueAction::unsuspend, {"all.q"}});
  pass();
  EXPECT_EQ(held(), promised);
  for (const auto number : waiting) EXPECT_EQ(cause(number), "");
}

TEST_F(GivenHoldsOfArrays, WhenTasksOfAnArrayAreDeletedOrLimitedThenNoMoreThanTheOthersHaveHolds) {
  hosts(1, 1);
  scheduler({{"max_reservation", "9"}, {"params", "DURATION_OFFSET=0"}});
  submit(alice, job("run", "100"));
  pass();
  const auto array = submit(alice, array_of(holding("array", "50"), 3));
  auto limited = array_of(holding("limited", "50"), 5);
  limited.most_running = 2;
  const auto few = submit(alice, limited);
  pass();
  EXPECT_EQ(find(array)->holds.size(), 3U);
  EXPECT_EQ(find(few)->holds.size(), 2U);
  command(alice, DeleteJobs{{std::to_string(array)}, {{2, 3, 1}}, {}, false});
  EXPECT_EQ(find(array)->holds.size(), 1U);
}
