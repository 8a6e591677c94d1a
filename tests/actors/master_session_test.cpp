// What an agent says to the master, the lease, and what the launcher tells the agent.
#include "actors/agent/launcher_events.hpp"
#include "actors/agent/agent_lease.hpp"
#include "actors/agent/master_session.hpp"
#include "tests/actors/actor_fixture.hpp"
#include "tests/actors/hand_launcher.hpp"

using namespace almanac;

namespace {

class GivenAMasterSession : public ActorFixture {
public:
  HandLauncher launcher;
  MasterSession master{launcher};
  Partner session = partner();
  Attempt attempt{3, 0, 1};

  GivenAMasterSession() { master.begin(session.as<SessionActor>()); }

  session::TaskReport report(session::TaskPhase phase) const {
    return {attempt, phase, true, false, "store", 7, {}};
  }
  void open() {
    master.hear(session::Welcome{7, "store", {}});
    master.hear(session::Registered{});
  }
  template <class T> std::vector<T> said() {
    settle();
    std::vector<T> result;
    for (const auto& say : session.all<Say>())
      if (const auto* one = std::get_if<T>(&say.message)) result.push_back(*one);
    return result;
  }
};

} // namespace

TEST_F(GivenAMasterSession, WhenTheMasterHasNotRegisteredTheHostThenItHearsTheListOnly) {
  master.tasks().adopt(report(session::TaskPhase::running));
  master.tell(PartSilent{attempt, "h2"});
  master.hear(session::Welcome{7, "store", {}});
  master.report(report(session::TaskPhase::ended));
  ASSERT_EQ(said<session::Register>().size(), 1u);
  EXPECT_EQ(said<session::Register>().front().tasks.size(), 1u);
  EXPECT_EQ(said<session::Register>().front().nonce.content, "nonce");
  EXPECT_TRUE(said<session::Register>().front().takes_common_files);
  EXPECT_TRUE(said<session::Register>().front().runs_hooks);
  EXPECT_TRUE(said<session::TaskReport>().empty());
  EXPECT_TRUE(said<PartSilent>().empty());
  master.hear(session::Registered{});
  EXPECT_EQ(said<session::TaskReport>().size(), 1u);
  master.report(report(session::TaskPhase::ended));
  EXPECT_EQ(said<session::TaskReport>().size(), 2u);
}

TEST_F(GivenAMasterSession, WhenAMasterWithAnOlderTermComesThenNothingIsSaidToIt) {
  open();
  master.hear(session::Welcome{6, "store", {}});
  EXPECT_EQ(said<session::Register>().size(), 1u);
}

TEST_F(GivenAMasterSession, WhenAnOrderCameTooLateThenTheLeaseIsAskedForBeforeTheReport) {
  open();
  master.tasks().begin(attempt);
  auto late = report(session::TaskPhase::ended);
  late.record.failed = failed::rescheduled;
  master.report(late);
  EXPECT_TRUE(said<session::Renew>().empty()) << "it had begun";
  late.began = false, launcher.clock_ms = 900;
  master.report(late);
  ASSERT_EQ(said<session::Renew>().size(), 1u);
  EXPECT_EQ(said<session::Renew>().front().asked, 900);
  EXPECT_TRUE(std::holds_alternative<session::TaskReport>(session.all<Say>().back().message));
}

TEST_F(GivenAMasterSession, WhenItIsLostThenTheNextOneBeginsTheLaterTheMoreOftenItIsRefused) {
  open();
  EXPECT_TRUE(master.is(session.as<SessionActor>().id()));
  EXPECT_FALSE(master.is(0));
  EXPECT_EQ(master.lost({0, "the link is down", 0, false}), 250);
  EXPECT_FALSE(master.is_registered());
  EXPECT_EQ(master.lost({0, "refused: no", 0, true}), 1000);
  EXPECT_EQ(master.lost({0, "refused: no", 0, true}), 2000);
  open();
  EXPECT_EQ(master.lost({0, "the link is down", 0, false}), 250);
}

TEST_F(GivenAMasterSession, WhenTheHostIsRegisteredThenOneBeatFollowsAnother) {
  EXPECT_FALSE(master.beat());
  master.hear(session::Welcome{7, "store", {}});
  EXPECT_TRUE(master.hear(session::Registered{}));
  EXPECT_FALSE(master.hear(session::Registered{})) << "there is one already";
  EXPECT_TRUE(master.beat());
  EXPECT_EQ(said<session::Renew>().size(), 1u);
  master.lost({0, "the link is down", 0, false});
  master.hear(session::Welcome{7, "store", {}});
  EXPECT_FALSE(master.hear(session::Registered{})) << "the one before is on its way";
  EXPECT_TRUE(master.beat());
  master.lost({0, "the link is down", 0, false});
  EXPECT_FALSE(master.beat());
  EXPECT_TRUE((open(), master.beat()));
}

TEST(GivenALease, WhenItIsGrantedThenItCountsFromWhenItWasAskedFor) {
  HandLauncher launcher;
  AgentLease lease(launcher);
  launcher.clock_ms = 100;
  lease.ask_with_list();
  launcher.clock_ms = 700;
  EXPECT_TRUE(lease.granted_with_list());
  const auto asked = lease.ask();
  EXPECT_EQ(asked.nonce.content, "nonce");
  launcher.clock_ms = 900;
  lease.granted({asked.asked});
  EXPECT_EQ(launcher.kept, std::vector<std::int64_t>({100, 700}));
}

TEST_F(GivenAMasterSession, WhenALauncherTellsSomethingThenItsAgentHearsItWithinBounds) {
  const auto agent = partner();
  const auto events = events_for(agent.as<AgentActor>());
  auto ended = report(session::TaskPhase::ended);
  ended.record.reason = std::string(100'000, 'x');
  events.report(ended);
  events.call_ended(5, ended.record);
  events.output(5, "written", true);
  events.input_room(6, 1000);
  settle();
  ASSERT_EQ(agent.all<LauncherSaid>().size(), 1u);
  EXPECT_LT(agent.all<LauncherSaid>().front().report.record.reason.size(), 100'000u);
  ASSERT_EQ(agent.all<CallEnded>().size(), 1u);
  EXPECT_LT(agent.all<CallEnded>().front().record.reason.size(), 100'000u);
  const auto output = agent.all<CallOutput>();
  ASSERT_EQ(output.size(), 2u);
  EXPECT_EQ(output[0].content, "written");
  EXPECT_TRUE(output[0].error);
  EXPECT_EQ(output[1].call, 6);
  EXPECT_EQ(output[1].room, 1000);
}
