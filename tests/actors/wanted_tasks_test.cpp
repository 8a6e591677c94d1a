// What an agent is told of its tasks, and what its reports mean.
#include "actors/master/wanted_tasks.hpp"
#include "schema/warrant.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;
using session::TaskAction;
using session::TaskPhase;

namespace {

class GivenTasksOfAHost : public ActorFixture {
public:
  static constexpr Attempt attempt{{3}, 0, 1};
  Partner calendar = partner(), agent = partner(), next_agent = partner();
  WantedTasks tasks{calendar.as<CalendarActor>(),
                    {nullptr, "store", 2, std::make_shared<std::atomic<std::int64_t>>(0)},
                    "h1"};

  static WantTask wanted_on(const std::vector<std::string>& hosts) {
    auto order = std::make_shared<session::Launch>();
    order->attempt = attempt;
    order->job.tasks.resize(1);
    order->job.tasks.front().fence = Duration{20};
    for (const auto& host : hosts)
      order->parts.push_back({host, {"all.q", host}, 1, "", "/tmp", {}});
    return {order, true, false, false};
  }
  static session::TaskReport report(TaskPhase phase) {
    session::TaskReport report;
    report.attempt = attempt, report.phase = phase, report.began = phase != TaskPhase::spooled;
    report.store_id = "store", report.term = {2};
    return report;
  }
  void begin(const Partner& who, std::vector<session::TaskReport> list = {},
             const HostTasks& known = {}, bool same_spool = true) {
    tasks.begin_session(who.as<SessionActor>(), {HostFacts(), std::move(list)}, known, same_spool);
  }
  template <class Message> std::vector<Message> said_to(const Partner& who) {
    settle();
    std::vector<Message> result;
    for (const auto& say : who.all<Say>())
      if (const auto* message = std::get_if<Message>(&say.message)) result.push_back(*message);
    return result;
  }
  /// What the agent was told to do with the task, which nobody wants from then on.
  std::vector<TaskAction> actions_said_to(const Partner& who) {
    std::vector<TaskAction> actions;
    for (const auto& control : said_to<session::Control>(who))
      if (control.action != TaskAction::resume) actions.push_back(control.action);
    tasks.end_session(), tasks.unwant(attempt);
    return actions;
  }
  template <class Fact> std::vector<Fact> told() {
    settle();
    std::vector<Fact> result;
    for (const auto& tell : calendar.all<Tell>())
      if (const auto* fact = std::get_if<Fact>(&*tell.input)) result.push_back(*fact);
    return result;
  }
};

} // namespace

TEST_F(GivenTasksOfAHost, WhenOneIsWantedThenItIsOrderedOnceInEachSession) {
  tasks.want(wanted_on({"h1"}));
  EXPECT_EQ(tasks.size(), 1u);
  begin(agent);
  tasks.want(wanted_on({"h1"}));
  EXPECT_EQ(said_to<session::Launch>(agent).size(), 1u);
  tasks.end_session();
  begin(next_agent);
  EXPECT_EQ(said_to<session::Launch>(next_agent).size(), 1u);
  EXPECT_EQ(said_to<session::Launch>(agent).size(), 1u);
}

TEST_F(GivenTasksOfAHost, WhenOneIsToEndOrToStopThenThatIsSaidOnce) {
  begin(agent);
  auto want = wanted_on({"h1"});
  want.launch = false, want.suspended = true;
  tasks.want(want), tasks.want(want);
  want.suspended = false, want.kill = true;
  tasks.want(want), tasks.want(want);
  std::vector<TaskAction> actions;
  for (const auto& control : said_to<session::Control>(agent)) actions.push_back(control.action);
  EXPECT_EQ(actions,
            (std::vector<TaskAction>{TaskAction::suspend, TaskAction::kill, TaskAction::resume}));
}

// What an agent was told in a session that has ended it may have heard, or not.
TEST_F(GivenTasksOfAHost, WhenOneWasToStopInAnotherSessionThenItIsToldAgainWhatItIsToDo) {
  const auto actions = [&](const Partner& who) {
    std::vector<TaskAction> said;
    for (const auto& control : said_to<session::Control>(who)) said.push_back(control.action);
    return said;
  };
  HostTasks known;
  known.wanted = {{attempt, true, true}};
  begin(agent);
  auto want = wanted_on({"h1"});
  tasks.want(want);
  want.launch = false, want.suspended = true;
  tasks.want(want);
  EXPECT_EQ(actions(agent), (std::vector<TaskAction>{TaskAction::suspend}));
  tasks.end_session();
  want.suspended = false;
  tasks.want(want);
  begin(next_agent, {report(TaskPhase::running)}, known);
  EXPECT_EQ(actions(next_agent), (std::vector<TaskAction>{TaskAction::resume}));
}

TEST_F(GivenTasksOfAHost, WhenNobodyKnowsWhatAnEarlierMasterSaidThenItIsSaidAgain) {
  HostTasks known;
  known.wanted = {{attempt, true, true}};
  auto want = wanted_on({"h1"});
  want.launch = false;
  tasks.want(want);
  begin(agent, {report(TaskPhase::running)}, known);
  ASSERT_EQ(said_to<session::Control>(agent).size(), 1u);
  EXPECT_EQ(said_to<session::Control>(agent).front().action, TaskAction::resume);
  tasks.want(want);
  EXPECT_EQ(said_to<session::Control>(agent).size(), 1u) << "once";
  tasks.end_session();
  begin(next_agent, {report(TaskPhase::running)}, known);
  EXPECT_TRUE(said_to<session::Control>(next_agent).empty()) << "it never was to stop since then";
}

// B11.22: in each session, since nobody knows what was heard in another one.
TEST_F(GivenTasksOfAHost, WhenOneMayRunForLongerThenItsFirstHostIsToldOnceInEachSession) {
  session::Register list{HostFacts(), {report(TaskPhase::running)}};
  HostTasks known;
  known.wanted = {{attempt, true, true}};
  const auto limits = [&](const Partner& who) {
    std::vector<std::int64_t> limits;
    for (const auto& control : said_to<session::Control>(who))
      if (control.action == TaskAction::prolong)
        limits.push_back(parse_limit(control.warrant.content)->limit);
    return limits;
  };
  tasks.begin_session(agent.as<SessionActor>(), list, known, true);
  auto want = wanted_on({"h1"});
  want.launch = false, want.limit = 700;
  tasks.want(want);
  EXPECT_TRUE(limits(agent).empty()) << "an agent of an earlier version";
  list.takes_limits = true;
  tasks.begin_session(next_agent.as<SessionActor>(), list, known, true);
  tasks.want(want);
  EXPECT_EQ(limits(next_agent), (std::vector<std::int64_t>{700}));
  want.limit = 800;
  tasks.want(want);
  EXPECT_EQ(limits(next_agent), (std::vector<std::int64_t>{700, 800}));
  tasks.begin_session(agent.as<SessionActor>(), list, known, true);
  EXPECT_EQ(limits(agent), (std::vector<std::int64_t>{800}));
}

TEST_F(GivenTasksOfAHost, WhenOneBeginsElsewhereThenItsLimitIsNotOfThisHost) {
  session::Register list{HostFacts(), {}};
  list.takes_limits = true;
  tasks.begin_session(agent.as<SessionActor>(), list, {}, true);
  auto want = wanted_on({"h2", "h1"});
  want.limit = 700;
  tasks.want(want);
  EXPECT_TRUE(said_to<session::Control>(agent).empty());
}

// O6.17: its first host has it saved, the parts on others end with it.
TEST_F(GivenTasksOfAHost, WhenOneEndsToRunAgainThenItsFirstHostIsToldToMoveIt) {
  session::Register list{HostFacts(), {}};
  list.takes_moves = true;
  const auto actions_of = [&](WantTask want, const Partner& who, bool takes_moves) {
    list.takes_moves = takes_moves;
    tasks.begin_session(who.as<SessionActor>(), list, {}, true);
    want.launch = false, want.kill = want.runs_again = true;
    tasks.want(want), tasks.want(want);
    want.runs_again = false;
    tasks.want(want);
    return actions_said_to(who);
  };
  auto want = wanted_on({"h1"});
  auto order = *want.order;
  EXPECT_EQ(actions_of(want, partner(), true), (std::vector<TaskAction>{TaskAction::kill}))
      << "it has no checkpointing environment";
  order.checkpoint.is_asked_for = true;
  want.order = std::make_shared<session::Launch>(order);
  EXPECT_EQ(actions_of(want, partner(), true),
            (std::vector<TaskAction>{TaskAction::move, TaskAction::kill}))
      << "then somebody deleted it";
  EXPECT_EQ(actions_of(want, partner(), false), (std::vector<TaskAction>{TaskAction::kill}))
      << "an agent of an earlier version";
  order.parts.front().host = "h2";
  want.order = std::make_shared<session::Launch>(order);
  EXPECT_EQ(actions_of(want, partner(), true), (std::vector<TaskAction>{TaskAction::kill}));
}

// plus.md P5.11: on each of its hosts, as long as the reservation waits for it.
TEST_F(GivenTasksOfAHost, WhenOneGivesWayThenItIsAskedToEndAndKilledOnceNobodyWaits) {
  session::Register list{HostFacts(), {}};
  const auto actions_of = [&](const Partner& who, bool takes_preemption) {
    list.takes_preemption = takes_preemption;
    tasks.begin_session(who.as<SessionActor>(), list, {}, true);
    auto want = wanted_on({"h2", "h1"});
    want.launch = false, want.kill = want.runs_again = want.gives_way = true;
    tasks.want(want), tasks.want(want);
    want.gives_way = false;
    tasks.want(want);
    return actions_said_to(who);
  };
  EXPECT_EQ(actions_of(partner(), true),
            (std::vector<TaskAction>{TaskAction::preempt, TaskAction::kill}));
  EXPECT_EQ(actions_of(partner(), false), (std::vector<TaskAction>{TaskAction::kill}))
      << "an agent of an earlier version";
}

TEST_F(GivenTasksOfAHost, WhenOneIsSavedToGiveWayThenItIsKilledOnceNobodyWaits) {
  session::Register list{HostFacts(), {}};
  list.takes_preemption = list.takes_moves = true;
  tasks.begin_session(agent.as<SessionActor>(), list, {}, true);
  auto want = wanted_on({"h1"});
  auto order = *want.order;
  order.checkpoint.is_asked_for = true;
  want.order = std::make_shared<session::Launch>(order);
  want.launch = false, want.kill = want.runs_again = want.gives_way = true;
  tasks.want(want);
  want.gives_way = false;
  tasks.want(want);
  EXPECT_EQ(actions_said_to(agent), (std::vector<TaskAction>{TaskAction::move, TaskAction::kill}));
}

// O6.19.
TEST_F(GivenTasksOfAHost, WhenOneWasCheckpointedThenThatIsToldOnce) {
  begin(agent);
  tasks.want(wanted_on({"h1"}));
  auto running = report(TaskPhase::running);
  tasks.take(running);
  EXPECT_TRUE(told<TaskSaved>().empty());
  running.record.checkpoint_pid = 4711;
  tasks.take(running);
  running.record.checkpoint_pid = 4712;
  tasks.take(running);
  ASSERT_EQ(told<TaskSaved>().size(), 1u) << "whatever an agent says afterwards";
  EXPECT_EQ(told<TaskSaved>().front().process, 4711);
}

TEST_F(GivenTasksOfAHost, WhenOneIsUnwantedThenTheAgentMayForgetItAndNothingIsMadeOfItsReports) {
  tasks.want(wanted_on({"h1"}));
  tasks.unwant(attempt);
  EXPECT_EQ(tasks.size(), 0u);
  begin(agent);
  EXPECT_TRUE(said_to<session::Forget>(agent).empty()) << "nobody was there";
  tasks.unwant(attempt);
  EXPECT_EQ(said_to<session::Forget>(agent).size(), 1u);
  tasks.take(report(TaskPhase::ended));
  EXPECT_EQ(said_to<session::Forget>(agent).size(), 2u) << "of one that nobody waits for";
  EXPECT_TRUE(told<TaskEnded>().empty());
  auto foreign = report(TaskPhase::ended);
  foreign.store_id = "another";
  tasks.take(foreign);
  foreign.store_id = "store", foreign.term = {3};
  tasks.take(foreign);
  EXPECT_EQ(said_to<session::Forget>(agent).size(), 2u) << "it is none of ours";
}

TEST_F(GivenTasksOfAHost, WhenTheRecordsKnowOneThatTheAgentLacksThenItIsSentOrLost) {
  HostTasks known;
  known.wanted = {{attempt, true, false}, {{4, 0, 1}, true, true}};
  auto want = wanted_on({"h1"});
  want.launch = false;
  tasks.want(want);
  begin(agent, {}, known);
  EXPECT_EQ(said_to<session::Launch>(agent).size(), 1u);
  ASSERT_EQ(told<TaskLost>().size(), 1u);
  EXPECT_EQ(told<TaskLost>().front().attempt, (Attempt{4, 0, 1}));
}

TEST_F(GivenTasksOfAHost, WhenTheAgentReportsOneBeforeItIsWantedThenTheLastReportWaits) {
  HostTasks known;
  known.wanted = {{attempt, true, true}};
  begin(agent, {report(TaskPhase::running)}, known);
  tasks.take(report(TaskPhase::ended));
  EXPECT_TRUE(calendar.heard->empty());
  EXPECT_TRUE(said_to<session::Forget>(agent).empty());
  tasks.want(wanted_on({"h1"}));
  EXPECT_TRUE(said_to<session::Launch>(agent).empty()) << "the agent has it";
  EXPECT_EQ(told<TaskEnded>().size(), 1u);
}

TEST_F(GivenTasksOfAHost, WhenTheRecordsDoNotKnowOneThenItIsLeftAloneUntilItEnds) {
  begin(agent, {report(TaskPhase::running)});
  tasks.take(report(TaskPhase::running));
  EXPECT_TRUE(said_to<session::Forget>(agent).empty());
  EXPECT_TRUE(said_to<session::Control>(agent).empty());
  tasks.take(report(TaskPhase::ended));
  EXPECT_EQ(said_to<session::Forget>(agent).size(), 1u);
}

TEST_F(GivenTasksOfAHost, WhenOneBeginsElsewhereThenOnlyItsFirstHostSpeaksOfIt) {
  begin(agent);
  tasks.want(wanted_on({"h2", "h1"}));
  tasks.take(report(TaskPhase::running));
  tasks.take(PartSilent{attempt, "h2"});
  EXPECT_TRUE(calendar.heard->empty());
  tasks.want(wanted_on({"h1", "h2"}));
  tasks.take(report(TaskPhase::running));
  tasks.take(PartSilent{attempt, "h2"});
  EXPECT_EQ(told<TaskStarted>().size(), 1u);
  EXPECT_EQ(told<PartSilent>().size(), 1u);
}

TEST_F(GivenTasksOfAHost, WhenOneHasRunThenItIsNotOrderedAgainInAnotherSession) {
  begin(agent);
  tasks.want(wanted_on({"h1"}));
  tasks.take(report(TaskPhase::running));
  HostTasks known;
  known.wanted = {{attempt, true, true}};
  begin(next_agent, {report(TaskPhase::running)}, known);
  EXPECT_TRUE(said_to<session::Launch>(next_agent).empty());
  EXPECT_EQ(told<TaskStarted>().size(), 2u);
}

TEST_F(GivenTasksOfAHost, WhenAFenceIsPastThenTheFirstHostOfTheTaskSaysSo) {
  Lease lease;
  for (int second = 0; second < 29; ++second) lease.pass_second();
  tasks.want(wanted_on({"h1", "h2"}));
  tasks.tell_fenced(lease);
  EXPECT_TRUE(told<TaskFenced>().empty());
  lease.pass_second();
  tasks.tell_fenced(lease);
  ASSERT_EQ(told<TaskFenced>().size(), 1u);
  EXPECT_EQ(told<TaskFenced>().front().host, "h1");
  tasks.want(wanted_on({"h2", "h1"}));
  tasks.tell_fenced(lease);
  EXPECT_EQ(told<TaskFenced>().size(), 1u);
}

TEST_F(GivenTasksOfAHost, WhenAnOrderCannotBeSignedThenTheTaskHasFailedThere) {
  tasks.begin_session(agent.as<SessionActor>(), {HostFacts(), {}, {"nonce"}, warrant_version}, {},
                      true);
  tasks.want(wanted_on({"h2"}));
  EXPECT_TRUE(said_to<session::Launch>(agent).empty());
  ASSERT_EQ(told<LaunchFailed>().size(), 1u);
  EXPECT_EQ(told<LaunchFailed>().front().record.reason, "the job has no part on h1");
  EXPECT_EQ(told<LaunchFailed>().front().record.failed, failed::before_job);
}
