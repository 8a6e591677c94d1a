#include "planner_fixture.hpp"

using namespace almanac;

namespace {

// A parallel job on two hosts, running.
class GivenAParallelJob : public PlannerFixture {
public:
  std::int64_t number = 0;
  GivenAParallelJob() {
    hosts(2, 1);
    auto request = job("mpi", "600");
    request.pe = "mpi", request.slots = {{2, 2}};
    number = submit(root, request);
    pass();
    start(number);
  }
  bool is_ending() const { return find(number)->find(0)->deleting; }
};

} // namespace

TEST_F(GivenAParallelJob, WhenOnlyTheLinkBetweenItsHostsIsCutThenItGoesOn) {
  tell(PartSilent{attempt(number), "h2"});
  EXPECT_FALSE(is_ending());
  tell(HostSilent{"h2", false});
  tell(PartSilent{attempt(number), "h2"});
  EXPECT_FALSE(is_ending()) << "suspect is not lost yet";
}

TEST_F(GivenAParallelJob, WhenNobodyReachesAPartThenTheJobIsEndedEverywhere) {
  tell(HostSilent{"h2", true});
  EXPECT_FALSE(is_ending()) << "its first host may still reach it";
  tell(PartSilent{attempt(number), "h2"});
  EXPECT_TRUE(is_ending());
  EXPECT_NE(find(number)->find(0)->reason.find("its part on h2 is lost"), std::string::npos);
  end(number, 137);
  EXPECT_EQ(find(number), nullptr);
}

TEST_F(GivenAParallelJob, WhenAReportIsAboutAnotherAttemptOrHostThenNothingHappens) {
  tell(HostSilent{"h2", true});
  auto older = attempt(number);
  --older.attempt;
  tell(PartSilent{older, "h2"});
  tell(PartSilent{attempt(number), "h1"});
  tell(PartSilent{attempt(number), "h9"});
  EXPECT_FALSE(is_ending());
}

// Chaos seed 3199 of 20 hosts: a task that was gone for good was accounted for as rescheduled.
class GivenAParallelJobWithoutAPart : public GivenAParallelJob {
public:
  ExitRecord fenced;
  GivenAParallelJobWithoutAPart() {
    tell(HostSilent{"h2", true});
    tell(PartSilent{attempt(number), "h2"});
    fenced.failed = failed::rescheduled, fenced.exit_status = 137;
    fenced.reason = "the host was cut off from the master";
  }
  void expect_killed_by(const Input& end) {
    const auto decisions = handle(end);
    EXPECT_EQ(find(number), nullptr);
    const AccountingRecord* record = nullptr;
    for (const auto& effect : decisions.effects)
      if (const auto* found = std::get_if<AccountingRecord>(&effect)) record = found;
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->record.failed, failed::killed);
    EXPECT_NE(record->record.reason.find("its part on h2 is lost"), std::string::npos);
  }
};

TEST_F(GivenAParallelJobWithoutAPart, WhenItsFenceFiresFirstThenItIsAccountedAsKilled) {
  expect_killed_by(TaskEnded{attempt(number), fenced});
}

TEST_F(GivenAParallelJobWithoutAPart, WhenItsOrderComesTooLateThenItIsAccountedAsKilled) {
  expect_killed_by(LaunchFailed{attempt(number), "h1", false, fenced});
}
