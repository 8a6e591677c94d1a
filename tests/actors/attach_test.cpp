// Who may attach to an interactive job, and what the agents do when a client comes and goes.
#include "actors/agent/agent_parts.hpp"
#include "actors/agent/clients.hpp"
#include "actors/agent/guests.hpp"
#include "actors/master/waiting_clients.hpp"
#include "actors/trust/attach.hpp"
#include "core/policy/attaching.hpp"
#include "schema/codec.hpp"
#include "tests/actors/actor_fixture.hpp"
#include "tests/actors/hand_launcher.hpp"

using namespace almanac;

namespace {

const Attempt attempt{7, 0, 1};

class GivenAWordOfTheMaster : public testing::Test {
protected:
  GivenAWordOfTheMaster() {
    agent.name = "n2", agent.master_key = master.public_key();
    sealed = seal_for_client(master, word);
  }
  std::string refusal(const AttachingClient& client, const std::string& host = "n2",
                      const Attempt& of = attempt) const {
    const auto allowed = check_attach(agent, client, host, of, sealed.credential, sealed.signature);
    return allowed ? "" : allowed.what();
  }

  SigningKey master = SigningKey::generate();
  session::ClientCredential word{"store", {1}, attempt, "alice", 1001, "n1", "n2"};
  Identity agent;
  SealedCredential sealed;
};

} // namespace

TEST_F(GivenAWordOfTheMaster, WhenItsUserShowsItOnTheirHostThenTheyMayAttach) {
  EXPECT_EQ(refusal({"n1", 1001}), "");
  EXPECT_EQ(refusal({"N1", 1001}), "");
  EXPECT_EQ(refusal({"n1", {}}), "") << "an agent, which has looked itself";
}

TEST_F(GivenAWordOfTheMaster, WhenSomebodyElseShowsItThenItIsRefused) {
  EXPECT_EQ(refusal({"n1", 1002}), "the credential is for the user \"alice\"");
  EXPECT_EQ(refusal({"n1", 0}), "the credential is for the user \"alice\"");
  EXPECT_EQ(refusal({"n3", 1001}), "the credential is for a client on host n1");
  EXPECT_EQ(refusal({"n1", 1001}, "n3"), "the credential is for a job on host n2");
  EXPECT_EQ(refusal({"n1", 1001}, "n2", {7, 0, 2}), "the credential is for another attempt");
  sealed.credential.content[9] ^= 1;
  EXPECT_EQ(refusal({"n1", 1001}), "the credential was not signed by the master of this cell");
}

TEST_F(GivenAWordOfTheMaster, WhenAnotherWordOfTheMasterIsShownThenItIsNoneToAttach) {
  sealed.signature.content = master.sign("almanac-order" + sealed.credential.content);
  EXPECT_EQ(refusal({"n1", 1001}), "the credential was not signed by the master of this cell");
}

TEST(GivenAnInteractiveJob, WhenItWasSubmittedOnOneHostThenItsOwnerAttachesFromThereOnly) {
  Caller owner{"alice", "users", 1001, 100, "n1", agent_on("n1")};
  EXPECT_TRUE(may_attach(owner, owner));
  auto other = owner;
  other.uid = 1002;
  EXPECT_FALSE(may_attach(other, owner));
  other = owner, other.host = "n3", other.through = agent_on("n3");
  EXPECT_FALSE(may_attach(other, owner)) << "what another agent says of its users";
  EXPECT_TRUE(may_have_streams(owner));
  owner.through = "unix door";
  EXPECT_FALSE(may_have_streams(owner)) << "the master's own";
}

TEST(GivenClientsAtADoor, WhenOneGoesThenItsCallIsFoundByItsConnection) {
  Clients clients;
  clients.add(5, {nullptr, 70, "n2", "n2:7001"});
  clients.add(6, {nullptr, 71, "", ""});
  EXPECT_EQ(clients.call_at(70), 5);
  ASSERT_NE(clients.elsewhere(5), nullptr);
  EXPECT_EQ(clients.elsewhere(5)->address, "n2:7001");
  EXPECT_EQ(clients.elsewhere(6), nullptr) << "a task here has it";
  clients.remove(5);
  EXPECT_FALSE(clients.call_at(70));
  EXPECT_EQ(clients.elsewhere(5), nullptr);
  EXPECT_EQ(clients.size(), 1u);
}

// ---- the task of an interactive job ---------------------------------------------------------------

namespace {

class GivenAnInteractiveTask : public ActorFixture {
public:
  HandLauncher launcher;
  Identity identity;
  Partner agent = partner(), guest = partner(), other = partner();
  AgentContext context;
  session::Launch order;

  GivenAnInteractiveTask() {
    identity.name = "n2", identity.key = SigningKey::generate();
    context.setup.identity = &identity, context.setup.clock = &clock;
    context.setup.launcher = &launcher, context.setup.directory = directory;
    context.agent = agent.as<AgentActor>();
    order.attempt = attempt, order.parts = {{"n2", {"all.q", "n2"}, 1, "a2", "/tmp", {}}};
    order.job.number = {12};
    order.job.request.edit().interaction = Interaction::terminal;
  }
  TaskActor task() {
    return keep(spawn_task(system, std::make_shared<AgentContext>(context), attempt));
  }
  static CallHere client(std::int64_t call, const Partner& from) {
    InheritedStart start;
    start.call = call, start.attaches = true, start.input = true, start.terminal = {30, 100};
    return {start, {nullptr, 0, from.pointer(), call}};
  }
  static LauncherSaid spooled() {
    return {{attempt, session::TaskPhase::spooled, false, false, "", 0, {}}};
  }
};

} // namespace

TEST_F(GivenAnInteractiveTask, WhenAClientIsFasterThanTheOrderThenItWaitsAndThenTheJobBegins) {
  const auto actor = task();
  tell(actor, client(1, guest));
  EXPECT_TRUE(launcher.started.empty());
  launcher.order = order;
  tell(actor, spooled());
  EXPECT_EQ(launcher.started, (std::vector<std::int64_t>{1}));
  EXPECT_TRUE(launcher.last.attaches);
  EXPECT_EQ(launcher.last.terminal, (TerminalSize{30, 100}));
}

TEST_F(GivenAnInteractiveTask, WhenASecondClientComesThenItIsRefusedAndTheFirstOneStays) {
  launcher.order = order;
  const auto actor = task();
  tell(actor, spooled());
  tell(actor, client(1, guest));
  tell(actor, client(2, other));
  EXPECT_EQ(launcher.started, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(other.all<Say>().size(), 1u) << "its end";
  EXPECT_TRUE(guest.all<Say>().empty());
}

TEST_F(GivenAnInteractiveTask, WhenItsClientOrTheHostOfItIsGoneThenTheJobIsHungUp) {
  launcher.order = order;
  const auto actor = task();
  tell(actor, spooled());
  tell(actor, client(1, guest));
  tell(actor, CallHungUp{2});
  EXPECT_TRUE(launcher.hung_up.empty());
  tell(actor, CallHungUp{1});
  EXPECT_EQ(launcher.hung_up, (std::vector<std::int64_t>{1}));
}

TEST_F(GivenAnInteractiveTask, WhenTheClientsTerminalHasAnotherSizeThenTheJobsHasIt) {
  launcher.order = order;
  const auto actor = task();
  tell(actor, spooled());
  tell(actor, client(1, guest));
  tell(actor, CallInput{1, "", false, 0, {50, 132}});
  EXPECT_EQ(launcher.terminal, (TerminalSize{50, 132}));
  tell(actor, CallInput{1, "typed", false});
  EXPECT_EQ(launcher.input, "typed");
  EXPECT_EQ(launcher.terminal, (TerminalSize{50, 132}));
}

TEST_F(GivenAnInteractiveTask, WhenNoClientComesThenItEnds) {
  launcher.order = order;
  const auto actor = task();
  tell(actor, spooled());
  pass(std::chrono::seconds(29));
  EXPECT_TRUE(launcher.actions.empty());
  pass(std::chrono::seconds(2));
  EXPECT_EQ(launcher.actions, (std::vector<session::TaskAction>{session::TaskAction::kill}));
}

TEST_F(GivenAnInteractiveTask, WhenAClientHasComeThenItLivesAsLongAsItLikes) {
  launcher.order = order;
  const auto actor = task();
  tell(actor, spooled());
  tell(actor, client(1, guest));
  pass(std::chrono::seconds(60));
  EXPECT_TRUE(launcher.actions.empty());
}
