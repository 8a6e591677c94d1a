// Agents that have called another one.
#include "actors/agent/agent.hpp"
#include "actors/agent/guests.hpp"
#include "schema/codec.hpp"
#include "tests/actors/actor_fixture.hpp"
#include "tests/actors/hand_launcher.hpp"

using namespace almanac;

namespace {

class GivenAGuest : public ActorFixture {
public:
  SigningKey master = SigningKey::generate();
  Identity agent{"cell", "h2", session::Role::agent, SigningKey::generate(),
                 {},     {},   master.public_key()};
  Partner session = partner();
  Guests guests;

  GivenAGuest() { guests.add({session.pointer(), 4, "h1", {}}); }

  session::PeerClear order(const Attempt& attempt, std::vector<std::string> hosts) const {
    const session::Credential credential{"store",          1, attempt, "alice",         1001,
                                         std::move(hosts), 2, "",      Instant::never()};
    const auto bytes = encode(credential);
    return {attempt, {bytes}, {master.sign("almanac-order" + bytes)}};
  }
};

} // namespace

TEST_F(GivenAGuest, WhenItOrdersThenOnlyTheFirstHostOfATaskMay) {
  EXPECT_TRUE(guests.may_order(agent, 4, order({3, 0, 1}, {"h1", "h2"})).ok());
  EXPECT_FALSE(guests.may_order(agent, 4, order({3, 0, 1}, {"h3", "h2"})).ok());
  EXPECT_FALSE(guests.may_order(agent, 4, order({3, 0, 1}, {"h1", "h3"})).ok());
  auto other = order({3, 0, 1}, {"h1", "h2"});
  other.attempt.attempt = 2;
  EXPECT_FALSE(guests.may_order(agent, 4, other).ok());
  EXPECT_EQ(guests.may_order(agent, 5, order({3, 0, 1}, {"h1", "h2"})).what(),
            "the session is not open");
}

TEST_F(GivenAGuest, WhenItAsksForAProcessThenTheTaskHearsUnderWhichNumberItAnswers) {
  session::PeerStart start;
  start.call = 70, start.attempt = {3, 0, 1}, start.command = {"date"}, start.input = true;
  const auto call = guests.call_here(4, 5001, start);
  EXPECT_EQ(call.start.call, 5001) << "here";
  EXPECT_EQ(call.start.number, 70) << "as it is signed";
  EXPECT_EQ(call.start.command, start.command);
  EXPECT_TRUE(call.start.input);
  EXPECT_EQ(call.taker.guest, session.pointer());
  EXPECT_EQ(call.taker.peer_call, 70);
}

TEST_F(GivenAGuest, WhenItsSessionHasEndedThenItIsToldNothingAndOrdersNothing) {
  guests.tell(4, session::PeerEnded{70, {}});
  settle();
  ASSERT_EQ(session.all<Say>().size(), 1u);
  guests.remove({5, "another one", 0, false});
  guests.tell(4, session::PeerEnded{71, {}});
  guests.remove({4, "the link is down", 0, false});
  guests.tell(4, session::PeerEnded{72, {}});
  settle();
  EXPECT_EQ(session.all<Say>().size(), 2u);
  EXPECT_FALSE(guests.may_order(agent, 4, order({3, 0, 1}, {"h1", "h2"})).ok());
}

// ---- an agent with guests -------------------------------------------------------------------------

namespace {

class MachineWithAPart : public HandLauncher {
public:
  std::vector<session::TaskReport> adopt(Events) override {
    return {{order->attempt, session::TaskPhase::running, true, false, "store", 1, {}}};
  }
};

class GivenAPartOfAGuestsTask : public GivenAGuest {
public:
  const Attempt attempt{3, 0, 1};
  MachineWithAPart launcher;
  AgentActor actor;

  GivenAPartOfAGuestsTask() {
    auto& launch = launcher.order.emplace();
    launch.attempt = attempt, launch.job.number = {12}, launch.control_slaves = true;
    launch.parts = {{"h1", {"all.q", "h1"}, 1, "a1", "/tmp", {}},
                    {"h2", {"all.q", "h2"}, 1, "a2", "/tmp", {}}};
    AgentSetup setup;
    setup.identity = &agent, setup.clock = &clock;
    setup.launcher = &launcher, setup.directory = directory;
    actor = keep(spawn_agent(system, setup));
    settle();
  }
  void open(std::uint64_t id) { tell(actor, SessionUp{session.pointer(), id, "h1", {}}); }
  void ask(std::uint64_t id, std::int64_t call) {
    const auto allowed = order(attempt, {"h1", "h2"});
    session::PeerStart start;
    start.call = call, start.attempt = attempt, start.command = {"sleep 100"};
    start.credential = allowed.credential, start.signature = allowed.signature;
    tell(actor, SessionSaid{id, std::make_shared<const session::Message>(start)});
  }
};

} // namespace

// Whoever asked for it was told that the connection was lost, and may ask for another one.
TEST_F(GivenAPartOfAGuestsTask, WhenTheSessionEndsThenItsProcessIsHungUpAndLeavesItsSlot) {
  open(8), ask(8, 70);
  ASSERT_EQ(launcher.started.size(), 1u);
  tell(actor, SessionDown{9, "another one's", 0, false});
  EXPECT_TRUE(launcher.hung_up.empty());
  tell(actor, SessionDown{8, "the far end has closed it", 0, false});
  EXPECT_EQ(launcher.hung_up, launcher.started);
  open(10), ask(10, 71);
  EXPECT_EQ(launcher.started.size(), 1u) << "it has not ended";
  tell(actor, CallEnded{launcher.started.front(), {}});
  ask(10, 72);
  EXPECT_EQ(launcher.started.size(), 2u);
}
