// What is done for a job of a checkpointing environment: objects.md O6.8, O6.13, O6.16 to O6.20.
#include "core/execution/checkpoint_rules.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

using Words = std::vector<std::string>;

struct GivenACheckpointingEnvironment : testing::Test {
  CheckpointPlan plan(const std::string& asked = "", std::int64_t saved_pid = 0) {
    request.checkpoint_at = asked;
    return checkpoint_plan(environment, request, queue, saved_pid);
  }
  std::string occasions(const std::string& asked) {
    request.checkpoint_at = asked;
    return checkpoint_occasions(environment, request);
  }
  CheckpointEnvironment environment;
  JobRequest request;
  InstanceSettings queue;
};

} // namespace

TEST_F(GivenACheckpointingEnvironment, WhenTheJobSaysWhenThenThatCountsBeforeTheEnvironment) {
  environment.when = "sr";
  EXPECT_EQ(occasions(""), "sr");
  EXPECT_EQ(occasions("mx"), "mx");
  EXPECT_EQ(occasions("n"), "");
  EXPECT_EQ(occasions("nx"), "");
  EXPECT_EQ(occasions("600"), "srm") << "the environment's, and at intervals";
}

TEST_F(GivenACheckpointingEnvironment, WhenItIsSavedAtIntervalsThenTheLongerOneCounts) {
  environment.when = "sx";
  queue.min_cpu_interval = Duration{300};
  EXPECT_EQ(plan().interval, 0);
  EXPECT_EQ(plan("m").interval, 300);
  EXPECT_EQ(plan("1:0:0").interval, 3600);
  EXPECT_EQ(plan("10").interval, 300) << "the queue's is the least";
  queue.min_cpu_interval = Duration{0};
  EXPECT_EQ(plan("m").interval, 1);
  queue.min_cpu_interval = Duration::endless();
  EXPECT_EQ(plan("10").interval, 0) << "never";
}

TEST_F(GivenACheckpointingEnvironment, WhenThePlanIsMadeThenItHasCommandsSignalAndOccasions) {
  environment.checkpoint = "/opt/save $job_pid", environment.migration = "/opt/move";
  environment.restart = "/opt/restart", environment.cleaning = "/opt/clean now";
  environment.signal = "SIGUSR2", environment.when = "sx";
  queue.notify = Duration{45};
  const auto made = plan("", 4711);
  EXPECT_TRUE(made.is_asked_for && made.at_move && made.at_shutdown);
  EXPECT_EQ(made.checkpoint, (Words{"/opt/save", "$job_pid"}));
  EXPECT_EQ(made.migration, (Words{"/opt/move"}));
  EXPECT_EQ(made.restart, (Words{"/opt/restart"}));
  EXPECT_EQ(made.cleaning, (Words{"/opt/clean", "now"}));
  EXPECT_EQ(made.signal, 12);
  EXPECT_EQ(made.patience, 45);
  EXPECT_EQ(made.longest, 600);
  EXPECT_EQ(made.saved_pid, 4711);
  const auto never = plan("n");
  EXPECT_TRUE(never.is_asked_for && !never.at_move && !never.at_shutdown);
}

TEST_F(GivenACheckpointingEnvironment, WhenItIsOfApplicationLevelThenTheScriptRunsAgain) {
  environment.restart = "/opt/restart";
  environment.interface = CheckpointInterface::application_level;
  EXPECT_TRUE(plan().restart.empty());
  for (const auto interface : {CheckpointInterface::userdefined, CheckpointInterface::transparent,
                               CheckpointInterface::hibernator, CheckpointInterface::cpr}) {
    environment.interface = interface;
    EXPECT_EQ(plan().restart, (Words{"/opt/restart"}));
  }
}
