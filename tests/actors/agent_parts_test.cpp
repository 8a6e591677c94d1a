#include "actors/agent/agent_parts.hpp"
#include "actors/session/session.hpp"
#include "actors/trust/keyring.hpp"
#include "schema/warrant.hpp"
#include "tests/actors/actor_fixture.hpp"
#include "tests/actors/hand_launcher.hpp"

using namespace almanac;
using std::chrono::seconds;

namespace {

// Nobody is ever reached.
class CutLink : public Link {
public:
  void connect(const std::string&, session::Role, const SessionActor& session) override {
    ++tries;
    caf::anon_send(session, LinkDown{"cut"});
  }
  int tries = 0;
};

// The other agent is there.
class OpenLink : public Link {
public:
  void connect(const std::string&, session::Role, const SessionActor& session) override {
    ++tries;
    const auto far = accept(caf::actor_cast<caf::strong_actor_ptr>(session), "");
    caf::anon_send(session, LinkUp{caf::actor_cast<caf::strong_actor_ptr>(far)});
  }
  SessionMaker accept;
  int tries = 0;
};

class GivenATask : public ActorFixture {
public:
  HandLauncher launcher;
  CutLink link;
  Identity identity;
  Partner agent = partner(), guest = partner();
  Attempt attempt{3, 0, 1};
  AgentContext context;
  session::Launch order;

  GivenATask() {
    identity.name = "h1", identity.key = SigningKey::generate();
    context.setup.identity = &identity, context.setup.clock = &clock;
    context.setup.launcher = &launcher, context.setup.link = &link;
    context.setup.directory = directory;
    context.setup.random = [](std::size_t count) { return std::string(count, 'x'); };
    context.agent = agent.as<AgentActor>();
    order.attempt = attempt;
    order.parts = {{"h1", {"all.q", "h1"}, 1, "a1", "/tmp", {}},
                   {"h2", {"all.q", "h2"}, 1, "a2", "/tmp", {}}};
  }
  CallHere call(std::int64_t number) {
    return {{number, {"date"}, {}, "/", true}, {nullptr, 0, guest.pointer(), number}};
  }
  LauncherSaid phase(session::TaskPhase phase) const {
    return {{attempt, phase, true, false, "", 0, {}}};
  }
};

} // namespace

TEST_F(GivenATask, WhenAPeerIsFasterThanTheMasterThenItsStartWaits) {
  const auto task = keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  tell(task, call(1));
  tell(task, CallInput{1, "typed ", false});
  tell(task, CallInput{1, "early", true});
  EXPECT_TRUE(launcher.started.empty());
  launcher.order = order;
  tell(task, phase(session::TaskPhase::spooled));
  EXPECT_EQ(launcher.started, std::vector<std::int64_t>({1}));
  EXPECT_EQ(launcher.input, "typed early");
}

TEST_F(GivenATask, WhenAsManyProcessesAsSlotsRunThenTheNextIsRefusedUntilOneEnds) {
  order.parts.front().slots = 2, order.job_is_first_task = true;
  launcher.order = order;
  const auto task = keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  tell(task, phase(session::TaskPhase::running));
  for (const std::int64_t number : {1, 2, 3}) tell(task, call(number));
  EXPECT_EQ(launcher.started, std::vector<std::int64_t>({1, 2}));
  ASSERT_EQ(guest.all<Say>().size(), 1u);
  EXPECT_EQ(std::get<session::PeerEnded>(guest.all<Say>().front().message).call, 3);
  ASSERT_EQ(agent.all<CallEnded>().size(), 1u) << "it would wait for it at the task's end";
  EXPECT_EQ(agent.all<CallEnded>().front().call, 3);
  tell(task, CallEnded{1, {}});
  tell(task, call(4));
  EXPECT_EQ(launcher.started, std::vector<std::int64_t>({1, 2, 4}));
  tell(task, CallInput{4, {}, false, 100});
  EXPECT_EQ(launcher.taken, 100);
}

TEST_F(GivenATask, WhenItsScriptIsNoTaskThenOneMoreRunsOnItsFirstHost) {
  launcher.order = order;
  const auto task = keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  tell(task, phase(session::TaskPhase::running));
  for (const std::int64_t number : {1, 2, 3}) tell(task, call(number));
  EXPECT_EQ(launcher.started, std::vector<std::int64_t>({1, 2}));
}

// Also on the first host, where the script is beside it (objects.md O4.10).
TEST_F(GivenATask, WhenItsDaemonsMakeTheOthersThenOneRunsOnAHostAtOnce) {
  order.parts.front().slots = 4, order.daemon_forks_slaves = true;
  launcher.order = order;
  const auto task = keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  tell(task, phase(session::TaskPhase::running));
  for (const std::int64_t number : {1, 2}) tell(task, call(number));
  EXPECT_EQ(launcher.started, std::vector<std::int64_t>({1}));
  tell(task, CallEnded{1, {}});
  tell(task, call(3));
  EXPECT_EQ(launcher.started, std::vector<std::int64_t>({1, 3}));
}

// The helper of the host where it is to run sees no more of it than this.
TEST_F(GivenATask, WhenItsUserAsksForAProcessThenTheWordsAreSignedForOneHostOnce) {
  order.control_slaves = true;
  launcher.order = order;
  const auto task = keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  const door::Inherit request{{3}, 0, "h2", {"echo", "a b"}, {{"A", "1"}}, "/home", true};
  tell(task, CallInherit{70, request, {}});
  ASSERT_EQ(agent.all<ToPeer>().size(), 1u);
  const auto start = std::get<session::PeerStart>(agent.all<ToPeer>().front().message);
  const CallOrder meant{"h2", attempt, 70, {"echo", "a b"}, {{"A", "1"}}, "/home", true};
  const auto is_signed = [&](const CallOrder& call, const Bytes& proof) {
    return verify_signature(identity.key.public_key(), print_call(call), proof.content);
  };
  EXPECT_EQ(start.call, 70);
  EXPECT_TRUE(is_signed(meant, start.proof));
  auto here = request;
  here.host = "h1";
  tell(task, CallInherit{71, here, {}});
  EXPECT_EQ(launcher.last.number, 71);
  auto other = meant;
  EXPECT_FALSE(is_signed(other, launcher.last.proof));
  other.host = "h1", other.number = 71;
  EXPECT_TRUE(is_signed(other, launcher.last.proof));
}

TEST_F(GivenATask, WhenItHasEndedThenNoMoreProcessesAreStartedHereOrElsewhere) {
  order.control_slaves = true;
  launcher.order = order;
  const auto task = keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  tell(task, phase(session::TaskPhase::ended));
  const auto told = agent.all<ToPeer>().size();
  for (const char* host : {"h1", "h2"})
    tell(task,
         CallInherit{1, {3, 0, host, {"date"}, {}, "/", false}, {guest.pointer(), 4, nullptr, 0}});
  tell(task, call(2));
  EXPECT_EQ(agent.all<ToPeer>().size(), told);
  EXPECT_TRUE(launcher.started.empty());
  ASSERT_EQ(agent.all<CallEnded>().size(), 3u);
  EXPECT_EQ(agent.all<CallEnded>().back().call, 2);
  EXPECT_EQ(agent.all<CallEnded>().back().record.failed, failed::before_job);
}

TEST_F(GivenATask, WhenItsFirstHostIsAnotherThenNoProcessIsStartedFromHere) {
  order.control_slaves = true, identity.name = "h2";
  launcher.order = order;
  const auto task = keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  for (const char* host : {"h1", "h2"})
    tell(task,
         CallInherit{1, {3, 0, host, {"date"}, {}, "/", false}, {guest.pointer(), 4, nullptr, 0}});
  EXPECT_TRUE(agent.all<ToPeer>().empty());
  EXPECT_TRUE(launcher.started.empty());
  EXPECT_EQ(guest.all<DoorReply>().size(), 2u);
}

TEST_F(GivenATask, WhenItsAgentAsksForItAgainThenItIsTheSameActorUntilItIsTaken) {
  AgentParts parts(system, context);
  EXPECT_FALSE(parts.find_task(attempt)) << "it is not made by looking for it";
  const auto first = keep(parts.task(attempt));
  EXPECT_NE(keep(parts.task({3, 0, 2})), first);
  EXPECT_EQ(parts.task(attempt), first);
  EXPECT_EQ(parts.find_task(attempt), first);
  EXPECT_EQ(parts.take_task(attempt), first);
  EXPECT_FALSE(parts.find_task(attempt) || parts.take_task(attempt));
  EXPECT_NE(keep(parts.task(attempt)), first) << "who comes later is another one";
  EXPECT_EQ(keep(parts.peer("h2")), parts.peer("h2"));
  EXPECT_NE(keep(parts.peer("h3")), parts.peer("h2"));
  EXPECT_EQ(parts.peers(), 2u);
  EXPECT_EQ(keep(parts.sensor()), parts.sensor());
}

TEST_F(GivenATask, WhenItNeverComesThenThePeerIsToldAndTheActorIsIdle) {
  const auto task = keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  tell(task, call(1));
  pass(seconds(11));
  ASSERT_EQ(guest.all<Say>().size(), 1u);
  EXPECT_TRUE(std::holds_alternative<session::PeerEnded>(guest.all<Say>().front().message));
  EXPECT_EQ(agent.all<TaskIdle>().size(), 1u);
}

TEST_F(GivenATask, WhenItRunsThenItsPartsAreWatchedAndWithItsEndTheyAreCleared) {
  launcher.order = order;
  const auto task = keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  tell(task, phase(session::TaskPhase::running));
  ASSERT_EQ(agent.all<WatchPart>().size(), 1u);
  EXPECT_EQ(agent.all<WatchPart>().front().host, "h2");
  tell(task, phase(session::TaskPhase::ended));
  ASSERT_EQ(agent.all<ToPeer>().size(), 1u);
  EXPECT_TRUE(std::holds_alternative<session::PeerClear>(agent.all<ToPeer>().front().message));
  EXPECT_FALSE(agent.all<WatchPart>().back().watch);
}

TEST_F(GivenATask, WhenAPeerCantBeReachedThenCallsEndAndItsPartsAreReportedUntilNobodyWatches) {
  const auto peer = keep(spawn_peer(system, std::make_shared<AgentContext>(context), "h2"));
  tell(peer, TellPeer{"a2", session::PeerStart{9, attempt, {"date"}, {}, "/", {}, {}, false}});
  ASSERT_EQ(agent.all<CallEnded>().size(), 1u);
  EXPECT_EQ(agent.all<CallEnded>().front().call, 9);
  EXPECT_TRUE(agent.all<PartUnreachable>().empty()) << "nobody watches";
  tell(peer, WatchPart{"h2", "a2", attempt, true});
  pass(seconds(5));
  const auto reports = agent.all<PartUnreachable>().size();
  EXPECT_GE(reports, 3u);
  tell(peer, WatchPart{"h2", "a2", attempt, false});
  pass(seconds(20));
  EXPECT_EQ(agent.all<PartUnreachable>().size(), reports);
}

TEST_F(GivenATask, WhenNothingIsLeftToSayOrToWatchThenThePeersPartUntilTheyNeedEachOther) {
  const auto master = SigningKey::generate();
  const auto known_as = [&](const char* host) {
    const auto key = SigningKey::generate();
    const auto ticket = sign_ticket(master, "cell", host, key.public_key(), 0);
    return Identity{"cell",
                    host,
                    session::Role::agent,
                    key,
                    ticket.ticket,
                    ticket.signature,
                    master.public_key()};
  };
  identity = known_as("h1");
  const auto other = known_as("h2");
  Partner other_agent = partner();
  SessionSetup setup;
  setup.identity = &other, setup.random = random_bytes, setup.directory = directory;
  setup.owner = other_agent.as<SessionOwner>();
  OpenLink open;
  open.accept = [this, make = accepting_sessions(system, std::move(setup))](auto... words) {
    return keep(make(words...));
  };
  context.setup.link = &open, context.setup.random = random_bytes;

  const auto peer = keep(spawn_peer(system, std::make_shared<AgentContext>(context), "h2"));
  const auto clear = [&] { tell(peer, TellPeer{"a2", session::PeerClear{attempt, {}, {}}}); };
  tell(peer, WatchPart{"h2", "a2", attempt, true});
  pass(seconds(100));
  clear();
  ASSERT_EQ(other_agent.all<SessionSaid>().size(), 1u);
  tell(peer, WatchPart{"h2", "a2", attempt, false});
  pass(seconds(20));
  clear();
  EXPECT_EQ(open.tries, 1) << "one session for all of it";
  pass(seconds(70));
  EXPECT_EQ(other_agent.all<SessionDown>().size(), 1u);
  clear();
  EXPECT_EQ(open.tries, 2);
  EXPECT_EQ(other_agent.all<SessionSaid>().size(), 3u);
  pass(seconds(70));
  EXPECT_EQ(other_agent.all<SessionDown>().size(), 2u);
}
