// almanac-admin remove-host (ours).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenTwoHostsInACell : public PlannerFixture {
public:
  GivenTwoHostsInACell() {
    hosts(2, 2);
    EXPECT_EQ(
        change(ChangeVerb::modify, {ObjectKind::cluster_queue,
                                    "all.q",
                                    {{"hostlist", "@allhosts H1"}, {"seq_no", "0,[h1=5],[h2=6]"}}}),
        "");
    EXPECT_EQ(change(ChangeVerb::add, {ObjectKind::host_group, "@only", {{"hostlist", "h1"}}}), "");
  }
  std::string change(ChangeVerb verb, ConfigurationObject object) {
    const auto answer = command(root, Configure{{verb, std::move(object), {}}});
    return answer.exit_code == 0 ? "" : text(answer);
  }
  const ConfigurationObject& object(ObjectKind kind, const char* name) const {
    return *planner.state().configuration().find(kind, name);
  }
  Answer remove(const char* host) { return command(root, RemoveHost{host}); }
};

} // namespace

TEST_F(GivenTwoHostsInACell, WhenOneIsRemovedThenNothingNamesItAnyMore) {
  EXPECT_EQ(remove("h1").exit_code, 0);
  const auto& configuration = planner.state().configuration();
  EXPECT_FALSE(configuration.hosts().contains("h1"));
  EXPECT_FALSE(configuration.is_submit_host("h1"));
  EXPECT_EQ(*object(ObjectKind::host_group, "@allhosts").find("hostlist"), "h2");
  EXPECT_EQ(*object(ObjectKind::host_group, "@only").find("hostlist"), "NONE");
  EXPECT_EQ(*object(ObjectKind::cluster_queue, "all.q").find("hostlist"), "@allhosts");
  EXPECT_EQ(object(ObjectKind::cluster_queue, "all.q").find("seq_no")->find("h1"),
            std::string::npos);
  EXPECT_EQ(object(ObjectKind::cluster_queue, "all.q").find("slots")->find("h1"),
            std::string::npos);
  EXPECT_EQ(configuration.instances().size(), 1u);
  EXPECT_EQ(planner.state().records().find<HostKey>("h1")->state, KeyState::revoked);
  EXPECT_EQ(remove("h1").exit_code, 1);
  EXPECT_EQ(command(root, AddHost{"h1", 2}).exit_code, 0);
}

TEST_F(GivenTwoHostsInACell, WhenADisabledOneIsRemovedAndComesBackThenItIsEnabled) {
  command(root, ModifyQueues{QueueAction::disable, {"h1"}, false, "almanac-admin remove-host"});
  ASSERT_EQ(remove("h1").exit_code, 0);
  ASSERT_EQ(command(root, AddHost{"h1", 2}).exit_code, 0);
  EXPECT_FALSE(planner.state().instance({"all.q", "h1"}).disabled);
}

TEST_F(GivenTwoHostsInACell, WhenItIsInUseThenItStaysAndTheAnswerSaysByWhat) {
  auto request = job("sim");
  request.queues = {"all.q@h1"};
  const auto runs = submit(alice, request);
  auto reserved = window(now.seconds + 600, 600);
  reserved.queues = {"all.q@h1"};
  const auto lies = reserve(root, reserved);
  pass();
  start(runs);
  const auto digest = planner.digest();
  const auto said = text(remove("h1"));
  EXPECT_NE(said.find("exechost \"h1\" is in use"), std::string::npos) << said;
  EXPECT_NE(said.find("job " + std::to_string(runs) + " (\"sim\") of alice"), std::string::npos)
      << said;
  EXPECT_NE(said.find("advance reservation " + std::to_string(lies) + " of root"),
            std::string::npos)
      << said;
  EXPECT_EQ(planner.digest(), digest);
  EXPECT_EQ(remove("h2").exit_code, 0);
}

TEST_F(GivenTwoHostsInACell, WhenSomebodyElseAsksThenItStays) {
  EXPECT_EQ(command(alice, RemoveHost{"h1"}).exit_code, 1);
  EXPECT_EQ(remove("global").exit_code, 1);
  EXPECT_EQ(remove("h9").exit_code, 1);
  EXPECT_EQ(command(root, RemoveHost{"a b"}).exit_code, 1);
  EXPECT_TRUE(planner.state().configuration().hosts().contains("h1"));
}
