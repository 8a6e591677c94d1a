// When a job would start: QUERY of metaschedulers (spec/metascheduler.md M4.3 to M4.5, M4.18).
#include "core/answer/ggf.hpp"
#include "core/planning/price/when.hpp"
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenAJobToCome : public PlannerFixture {
public:
  void SetUp() override {
    hosts(1, 2);
    scheduler({{"max_reservation", "5"}, {"params", "DURATION_OFFSET=0"}});
  }
  std::int64_t running_for(const std::string& limit) {
    const auto number = submit(root, job("other", limit));
    pass(), start(number);
    return number;
  }
  Answer when(std::int64_t slots, const Caller& who) const {
    AskWhen asked{who, {}};
    auto& request = asked.query.request;
    request = job("query", "100");
    request.binary = true, request.command = "true", request.directory = "/";
    if (slots > 1) request.pe = "fill", request.slots = {{slots, slots}};
    StartForecast forecast(planner.state().records().copy(), asked, now);
    while (forecast.look()) {
    }
    return forecast.answer();
  }
  std::int64_t status_with_project(const Caller& who) const {
    AskWhen asked{who, {}};
    auto& request = asked.query.request;
    request = job("query", "100"), request.project = "sky";
    request.binary = true, request.command = "true", request.directory = "/";
    StartForecast forecast(planner.state().records().copy(), asked, now);
    while (forecast.look()) {
    }
    return ggf::status_of(forecast.answer()).code;
  }
  /// Seconds from now; a negative number: the status of a refusal.
  std::int64_t start_of(std::int64_t slots) const {
    const auto answer = when(slots, alice);
    if (answer.exit_code != 0) return ggf::status_of(answer).code;
    EXPECT_EQ(answer.statements.front().code, AnswerCode::would_start_at);
    return answer.statements.front().find("at")->number - now.seconds;
  }
};

} // namespace

// M4.1
TEST_F(GivenAJobToCome, WhenAReservationIsHeldThenItCountsAsIfItWereCommitted) {
  allow("alice");
  PrepareReservation held{"t", {}, ReservationVerb::change, {}, {60}};
  held.request = on_pe(window(now.seconds + 50, 1'000), "fill", 2);
  const auto number = command(alice, held).number;
  EXPECT_EQ(start_of(1), 1'050) << "it would not be over before";
  ASSERT_EQ(command(alice, SettleReservation{"t", {number}, true}).exit_code, 0);
  EXPECT_EQ(start_of(1), 1'050);
}

// M4.3 M3.36
TEST_F(GivenAJobToCome, WhenItIsAskedWhenItWouldStartThenThatIsTold) {
  EXPECT_EQ(start_of(2), 0);
  running_for("300");
  EXPECT_EQ(start_of(1), 0);
  EXPECT_EQ(start_of(2), 300);
  submit(root, job("before", "500"));
  pass();
  EXPECT_EQ(start_of(1), 300) << "the other job has the slot that was free";
  EXPECT_EQ(planner.state().jobs().size(), 2u) << "nothing was submitted";
}

// M8.12
TEST_F(GivenAJobToCome, WhenItCanNeverRunThenThatIsTold) { EXPECT_EQ(start_of(3), -31); }

// M4.18
TEST_F(GivenAJobToCome, WhenOthersHaveNoLimitThenTheyAreTakenToEndAfterTheDefault) {
  scheduler({{"default_duration", "1000"}});
  running_for("");
  EXPECT_EQ(start_of(2), 1000);
}

// M4.5
TEST_F(GivenAJobToCome, WhenNothingIsKnownToEndThenABoundIsTold) {
  scheduler({{"default_duration", "INFINITY"}});
  running_for("");
  const auto answer = when(2, alice);
  ASSERT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.statements.front().code, AnswerCode::would_start_later_than);
}

// M1.1, M4.4: what limits its user's jobs limits this one
TEST_F(GivenAJobToCome, WhenQuotasOrListsLimitTheUserThenTheyLimitTheAnswer) {
  const ConfigurationObject quota{
      ObjectKind::quota_set, "one", {{"enabled", "TRUE"}, {"limit", "limit users {*} to slots=1"}}};
  change(quota, ChangeVerb::add);
  EXPECT_EQ(start_of(1), 0);
  const auto own = submit(alice, job("own", "300"));
  pass(), start(own);
  EXPECT_EQ(start_of(1), 300) << "a slot is free, and alice has hers";
  EXPECT_EQ(ggf::status_of(when(1, bob)).code, 0);
  EXPECT_EQ(start_of(2), -31) << "never more than one";
  const ConfigurationObject list{ObjectKind::userset, "bad", {}};
  ASSERT_EQ(command(root, Configure{{ChangeVerb::add_entries, list, {"alice"}}}).exit_code, 0);
  queue("all.q", {{"xuser_lists", "bad"}});
  EXPECT_EQ(start_of(1), -31);
}

// M4.4: projects
TEST_F(GivenAJobToCome, WhenItsProjectIsNotForTheUserThenItIsRefused) {
  change({ObjectKind::userset, "staff", {{"entries", "bob"}}}, ChangeVerb::add);
  change({ObjectKind::project, "sky", {{"acl", "staff"}}}, ChangeVerb::add);
  EXPECT_EQ(status_with_project(alice), -22);
  EXPECT_EQ(status_with_project(bob), 0);
}

// M8.5: a value that its complex does not have is no reason to never run.
TEST_F(GivenAJobToCome, WhenAnAmountIsMalformedThenItsValueIsBad) {
  AskWhen asked{alice, {}};
  auto& request = asked.query.request;
  request = job("query", "100");
  request.binary = true, request.command = "true", request.directory = "/";
  request.resources.push_back({"mem_total", "-5"});
  StartForecast forecast(planner.state().records().copy(), asked, now);
  while (forecast.look()) {
  }
  EXPECT_EQ(ggf::status_of(forecast.answer()), (ggf::Status{-13, "bad value for RES"}));
  EXPECT_EQ(ggf::refused_resource(forecast.answer()), "mem_total");
}

// M4.4: calendars
TEST_F(GivenAJobToCome, WhenACalendarClosesTheQueueThenItStartsWhenThatIsOpenAgain) {
  now = {18 * 86'400 + 7 * 3'600}; // a Monday, at seven
  change({ObjectKind::calendar, "early", {{"week", "7-9"}}}, ChangeVerb::add);
  queue("all.q", {{"calendar", "early"}});
  EXPECT_EQ(start_of(1), 2 * 3'600);
}

// M1.6, M2.8: the master knows the number of such a user, and not the group
TEST_F(GivenAJobToCome, WhenAManagerAsksForAnotherUserThenThatUsersJobIsMeant) {
  const auto code_for = [&](const Caller& who, const Caller& whom) {
    AskWhen asked{who, {}};
    auto& request = asked.query.request;
    request = job("query", "100");
    request.binary = true, request.command = "true", request.directory = "/";
    asked.query.whom.user.user = whom.user, asked.query.whom.user.uid = whom.uid;
    StartForecast forecast(planner.state().records().copy(), asked, now);
    while (forecast.look()) {
    }
    return ggf::status_of(forecast.answer()).code;
  };
  EXPECT_EQ(code_for(root, alice), 0);
  EXPECT_EQ(code_for(bob, alice), -21);
  auto unknown = alice;
  unknown.uid = nobody;
  EXPECT_EQ(code_for(root, unknown), -22);
  global({{"min_gid", "100"}});
  EXPECT_EQ(code_for(root, alice), 0);
}

// M4.3: its real priority
TEST_F(GivenAJobToCome, WhenOthersWaitThenItsPriorityDecides) {
  running_for("300"), running_for("300");
  auto later = job("later", "500");
  later.reserve = true, later.priority = -100;
  submit(root, later);
  pass();
  EXPECT_EQ(start_of(2), 300) << "that one comes behind it";
}
