// Jobs of qrsh and qlogin, as the planner has them (spec/cli.md section 10).
#include "core/request/valid.hpp"
#include "tests/core/planning/planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenInteractiveJobs : public PlannerFixture {
public:
  GivenInteractiveJobs() { hosts(1, 1); }
  static JobRequest request(bool immediate) {
    auto request = job("QLOGIN", "60");
    request.interaction = Interaction::terminal, request.immediate = immediate;
    return request;
  }
};

} // namespace

TEST_F(GivenInteractiveJobs, WhenOneIsSubmittedThenItIsNotStartedAgainByItself) {
  auto wanted = request(false);
  wanted.rerun = Rerun::yes;
  submit(alice, wanted);
  EXPECT_EQ(find(1)->request->rerun, Rerun::no);
  EXPECT_EQ(find(1)->request->interaction, Interaction::terminal);
}

// C10.3, C10.8
TEST_F(GivenInteractiveJobs, WhenThereIsNoPlaceNowThenItIsRefusedWithoutAnId) {
  EXPECT_EQ(submit(alice, request(true)), 1);
  const auto answer = command(alice, Submit{request(true), ""});
  EXPECT_EQ(answer.exit_code, 1);
  ASSERT_FALSE(answer.statements.empty());
  EXPECT_EQ(answer.statements.front().code, AnswerCode::not_scheduled_now);
  EXPECT_EQ(submit(alice, request(false)), 2);
}

TEST_F(GivenInteractiveJobs, WhenOneIsCopiedThenThatIsRefused) {
  submit(alice, request(false));
  EXPECT_EQ(text(command(alice, ResubmitJobs{{{"1"}, {}, {}, {}}})),
            "denied: job 1 is interactive: a copy would have nobody who waits for it\n");
}

TEST_F(GivenInteractiveJobs, WhenOneIsAnArrayThenItIsNotValid) {
  auto array = request(false);
  EXPECT_TRUE(valid(array).ok());
  array.tasks = {1, 3, 1};
  EXPECT_FALSE(valid(array).ok());
}
