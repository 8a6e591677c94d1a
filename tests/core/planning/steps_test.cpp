// What the exit status of a command around a job means (spec/cli.md section 9.4).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

ExitRecord step(std::int64_t code, std::int64_t status) {
  ExitRecord record;
  record.failed = code, record.step_status = status;
  record.reason = "the step exited with " + std::to_string(status);
  return record;
}

struct GivenAJobWithSteps : PlannerFixture {
  void SetUp() override {
    PlannerFixture::SetUp();
    hosts(1, 1);
    id = submit(alice, job("job"));
    pass();
  }
  // "8": what its record in the accounting has as failed; "": there is none.
  std::string accounted(const Input& end) {
    std::string codes;
    for (const auto& effect : handle(end).effects)
      if (const auto* entry = std::get_if<AccountingRecord>(&effect))
        codes += std::to_string(entry->record.failed);
    return codes;
  }
  std::string before(std::int64_t code, std::int64_t status) {
    return accounted(LaunchFailed{attempt(id), "h1", false, step(code, status)});
  }
  std::string after(std::int64_t code, std::int64_t status) {
    start(id);
    return accounted(TaskEnded{attempt(id), step(code, status)});
  }
  void expect_rest() {
    pass();
    EXPECT_FALSE(is_active(id)) << "it is not tried again at once";
    now = now + Duration{14};
    pass();
    EXPECT_FALSE(is_active(id));
    now = now + Duration{1};
    pass();
    EXPECT_TRUE(is_active(id));
  }

  std::int64_t id = 0;
};

} // namespace

// C9.28, C9.29, C9.54.
TEST_F(GivenAJobWithSteps, WhenOneAfterItExitsWith99ThenItsNextTryWaitsForTheInterval) {
  for (const auto code : {failed::pe_stop, failed::epilog}) {
    EXPECT_EQ(after(code, 99), "25");
    EXPECT_TRUE(find(id)->tasks.front().restarted);
    expect_rest();
  }
}

// C9.27, C9.54.
TEST_F(GivenAJobWithSteps, WhenOneBeforeItExitsWith99ThenItsNextTryWaitsForTheInterval) {
  for (const auto code : {failed::prolog, failed::pe_start}) {
    EXPECT_EQ(before(code, 99), "25");
    EXPECT_FALSE(find(id)->tasks.front().restarted) << "it has not run";
    expect_rest();
  }
}

// C9.27, C9.43, C9.44.
TEST_F(GivenAJobWithSteps, WhenOneBeforeItFailsOtherwiseThenTheTryIsAccountedAndTheQueueInError) {
  EXPECT_EQ(before(failed::prolog, 3), "8");
  EXPECT_FALSE(is_active(id));
  EXPECT_TRUE(planner.state().instance({"all.q", "h1"}).error);
  EXPECT_EQ(find(id)->tasks.front().reason, "the step exited with 3");
}

TEST_F(GivenAJobWithSteps, WhenTheStartOfItsEnvironmentFailsThenThatIsAccounted) {
  EXPECT_EQ(before(failed::pe_start, 1), "10");
  EXPECT_EQ(find(id)->tasks.size(), 1u) << "it waits for another place";
}
