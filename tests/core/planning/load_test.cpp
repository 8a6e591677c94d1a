// The load of hosts: their order, thresholds of load and of suspension (spec/scheduling.md section 8).
#include "assignment_fixture.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenLoad : public AssignmentFixture {};

} // namespace

TEST_F(GivenLoad, WhenHostsAreLoadedThenTheIdlestComesFirst) {
  hosts(3, 4);
  tell(loaded("h1", 200));
  tell(loaded("h2", 50));
  tell(loaded("h3", 100));
  EXPECT_EQ(placed(job("a")), "all.q@h2:1"); // 0.125 of a load for each processor
  // Each start counts as half a load on four processors: h2 0.25, then h3 0.25.
  EXPECT_EQ(placed(job("b")), "all.q@h2:1");
  EXPECT_EQ(placed(job("c")), "all.q@h3:1");
  now = now + Duration{600}; // what was started is in the reported load by now
  EXPECT_EQ(placed(job("d")), "all.q@h2:1");
  queue("all.q", {{"seq_no", "0,[h3=5]"}});
  scheduler({{"queue_sort_method", "seqno"}, {"load_formula", "load_avg*2-1"}});
  tell(loaded("h3", 0));
  EXPECT_EQ(placed(job("e")), "all.q@h2:1");
  EXPECT_EQ(placed(parallel("fill", 12)), "");
  // A formula may begin with a sign: the most loaded is first.
  scheduler({{"queue_sort_method", "load"}, {"load_formula", "-load_avg"}});
  EXPECT_EQ(placed(job("f")), "all.q@h1:1");
}

TEST_F(GivenLoad, WhenStartsReachTheThresholdThenTheInstanceTakesNoMore) {
  hosts(1, 8);
  queue("all.q", {{"load_thresholds", "np_load_avg=0.30"}});
  tell(loaded("h1", 0));
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < 4; ++i) numbers.push_back(submit(alice, job("j")));
  pass();
  // Three starts make 3 x 0.5 / 4 = 0.375.
  EXPECT_EQ(place(numbers[2]), "all.q@h1:1");
  EXPECT_EQ(place(numbers[3]), "");
  EXPECT_NE(why(numbers[3]).find("overloaded: np_load_avg=0.375000 >= 0.30"), std::string::npos)
      << why(numbers[3]);
  now = now + Duration{300};
  pass();
  EXPECT_EQ(place(numbers[3]), "all.q@h1:1");
}

TEST_F(GivenLoad, WhenASuspendThresholdIsReachedThenTheLastStartedStopFirst) {
  hosts(1, 4);
  queue("all.q", {{"load_thresholds", "NONE"},
                  {"suspend_thresholds", "np_load_avg=2"},
                  {"suspend_interval", "0:1:0"}});
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < 3; ++i) {
    numbers.push_back(submit(alice, job("j")));
    pass();
    start(numbers.back());
    now = now + Duration{20};
  }
  const auto letters = [&] {
    std::string all;
    for (const auto number : numbers) all += state_letters(find(number)->tasks.front(), false);
    return all;
  };
  tell(loaded("h1", 900));
  pass();
  EXPECT_EQ(letters(), "rrT");
  EXPECT_EQ(placed(job("waits")), "") << "the instance is in alarm";
  now = now + Duration{60};
  pass();
  EXPECT_EQ(letters(), "rTT");
  tell(loaded("h1", 100));
  now = now + Duration{60};
  pass();
  EXPECT_EQ(letters(), "rrT");
  now = now + Duration{60};
  pass();
  EXPECT_EQ(letters(), "rrr");
  EXPECT_FALSE(planner.state().instance({"all.q", "h1"}).throttles);
}
