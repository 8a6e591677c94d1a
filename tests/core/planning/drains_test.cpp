// Drains: qmod -d with a reason and an end (ours).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenADrain : public PlannerFixture {
public:
  GivenADrain() { hosts(2, 1); }
  Answer disable(const char* target, const char* why = "", Instant until = {}) {
    return command(root, ModifyQueues{QueueAction::disable, {target}, false, why, until});
  }
  const InstanceState& instance(const char* host) const {
    return planner.state().instance({"all.q", host});
  }
};

} // namespace

TEST_F(GivenADrain, WhenItsEndComesThenTheInstancesAreEnabledAndJobsStart) {
  const auto until = now + Duration{600};
  ASSERT_EQ(disable("h1", "new disks", until).exit_code, 0);
  EXPECT_TRUE(instance("h1").disabled);
  EXPECT_FALSE(instance("h2").disabled);
  EXPECT_EQ(instance("h1").drain.by, "root");
  EXPECT_EQ(instance("h1").drain.since, now);
  const auto waits = submit(alice, [&] {
    auto request = job("waits");
    request.queues = {"all.q@h1"};
    return request;
  }());
  pass();
  EXPECT_FALSE(is_active(waits));
  EXPECT_EQ(handle(Pass{}).next_turn, until);
  now = until;
  pass();
  EXPECT_FALSE(instance("h1").disabled);
  EXPECT_EQ(instance("h1").drain.why, "");
  EXPECT_TRUE(is_active(waits));
}

// The end is in the records: a master that was started again knows it.
TEST_F(GivenADrain, WhenTheMasterIsStartedAgainThenItStillEnds) {
  disable("all.q", "power cut", now + Duration{600});
  tell(Restarted{});
  EXPECT_EQ(handle(Pass{}).next_turn, now + Duration{600});
  now = now + Duration{700};
  tell(Restarted{});
  EXPECT_FALSE(instance("h1").disabled);
}

TEST_F(GivenADrain, WhenItIsGivenAnotherReasonThenThatIsTaken) {
  disable("@allhosts", "power cut");
  EXPECT_NE(text(disable("h1")).find("already in the specified state: disabled"),
            std::string::npos);
  EXPECT_EQ(instance("h1").drain.why, "power cut");
  disable("h1", "new disks");
  EXPECT_EQ(instance("h1").drain.why, "new disks");
  command(root, ModifyQueues{QueueAction::enable, {"h1"}});
  EXPECT_FALSE(instance("h1").disabled);
  EXPECT_EQ(instance("h1").drain.by, "");
}

TEST_F(GivenADrain, WhenItCannotBeMeantThenNothingIsDisabled) {
  EXPECT_NE(text(disable("h1", "", now)).find("has passed already"), std::string::npos);
  EXPECT_EQ(disable("h1", std::string(1'001, 'x').c_str()).exit_code, 1);
  EXPECT_EQ(disable("h3", "gone").exit_code, 1);
  const ModifyQueues odd{QueueAction::enable, {"h1"}, false, "why"};
  EXPECT_EQ(command(root, odd).exit_code, 1);
  EXPECT_EQ(command(alice, ModifyQueues{QueueAction::disable, {"h1"}}).exit_code, 1);
  EXPECT_FALSE(instance("h1").disabled);
}
