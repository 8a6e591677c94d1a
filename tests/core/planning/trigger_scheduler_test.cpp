// qconf -tsm (docs/spec/cli.md C8.21, observed-gridengine.md V8.2).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenARunningJob : public PlannerFixture {
public:
  GivenARunningJob() {
    hosts(1, 4);
    submit(alice, job("runs"));
    pass();
  }
};

} // namespace

TEST_F(GivenARunningJob, WhenAManagerTriggersTheSchedulerThenWhatIsBookedIsWritten) {
  const auto decided = handle(Command{root, TriggerScheduler{}});
  ASSERT_TRUE(decided.answer);
  EXPECT_EQ(text(*decided.answer), "root@master triggers scheduler monitoring\n");
  EXPECT_TRUE(decided.pass_wanted);
  ASSERT_FALSE(decided.schedule.empty());
  EXPECT_EQ(decided.schedule.front(), "::::::::");
  EXPECT_TRUE(std::any_of(decided.schedule.begin(), decided.schedule.end(), [](const auto& line) {
    return line.starts_with("1:") && line.find("all.q@h1") != std::string::npos;
  }));
  EXPECT_TRUE(handle(Pass{}).schedule.empty()) << "MONITOR is not set: it is written once";
}

TEST_F(GivenARunningJob, WhenSomebodyElseTriggersItThenNothingHappens) {
  const auto decided = handle(Command{alice, TriggerScheduler{}});
  ASSERT_TRUE(decided.answer);
  EXPECT_EQ(text(*decided.answer), "denied: \"alice\" must be manager for this operation\n");
  EXPECT_EQ(decided.answer->exit_code, 1);
  EXPECT_TRUE(decided.schedule.empty());
}
