// qconf -tsm -ks -at (docs/spec/cli.md C8.21, C8.58, C8.65, observed-gridengine.md V8.2).
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
  const auto decided = handle(Command{root, ControlScheduler{}});
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
  const auto decided = handle(Command{alice, ControlScheduler{}});
  ASSERT_TRUE(decided.answer);
  EXPECT_EQ(text(*decided.answer), "denied: \"alice\" must be manager for this operation\n");
  EXPECT_EQ(decided.answer->exit_code, 1);
  EXPECT_TRUE(decided.schedule.empty());
}

TEST_F(GivenARunningJob, WhenTheSchedulerIsStoppedThenNothingStartsUntilItIsStarted) {
  EXPECT_EQ(text(command(root, ControlScheduler{SchedulerAction::start})),
            "denied: the scheduler runs already\n");
  EXPECT_EQ(command(root, ControlScheduler{SchedulerAction::stop}).exit_code, 0);
  const auto number = submit(alice, job("waits"));
  pass();
  EXPECT_FALSE(is_active(number));
  EXPECT_NE(text(planner.ask(ExplainJob{number}, now)).find("root stopped the scheduler"),
            std::string::npos);
  EXPECT_EQ(text(command(root, ControlScheduler{SchedulerAction::stop})),
            "denied: the scheduler is off already\n");
  EXPECT_EQ(command(alice, ControlScheduler{SchedulerAction::start}).exit_code, 1);
  EXPECT_EQ(command(root, ControlScheduler{SchedulerAction::start}).exit_code, 0);
  pass();
  EXPECT_TRUE(is_active(number));
}

TEST_F(GivenARunningJob, WhenTheMasterIsStartedAnewThenTheSchedulerRuns) {
  command(root, ControlScheduler{SchedulerAction::stop});
  tell(Restarted{2, planner.digest(), false, {}});
  const auto number = submit(alice, job("starts"));
  pass();
  EXPECT_TRUE(is_active(number));
}
