// Hooks that an agent runs for the master.
#include "actors/master/life_cycles.hpp"
#include "schema/codec.hpp"
#include "schema/warrant.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;
using std::chrono::seconds;

namespace {

caf::behavior silent_calendar(caf::event_based_actor*) {
  return {[](const RegisterHost&) { return HostTasks(); }, [](const Tell&) {}};
}

class GivenAHostForHooks : public ActorFixture {
public:
  Partner archive = partner(), views = partner(), gate = partner(), session = partner();
  const Identity identity{"test", "master", session::Role::master, SigningKey::generate(), "",
                          "",     ""};
  LifeCycleContext context{caf::actor_cast<CalendarActor>(keep(system.spawn(silent_calendar))),
                           archive.as<ArchiveActor>(),
                           views.as<ViewsActor>(),
                           gate.as<GateActor>(),
                           directory,
                           &clock,
                           &identity,
                           "store",
                           {1}};
  HostActor actor = keep(spawn_host(system, context, "n1"));

  void come(bool runs_hooks) {
    session::Register list;
    list.nonce = {"nonce"}, list.warrant_version = warrant_version, list.runs_hooks = runs_hooks;
    tell(actor, SessionUp{session.pointer(), 5, "n1", {"K", 1, {}}});
    say(list);
  }
  void say(session::Message message) {
    tell(actor, SessionSaid{5, std::make_shared<session::Message>(std::move(message))});
  }
  std::shared_ptr<std::optional<HookRan>> run() {
    return ask<HookRan>(*this, actor,
                        RunHook{7, "ann", 1001, {{"/hook", "a b"}, {{"AR_ID", "3"}}, "{}", {30}}});
  }
  template <class Message> std::vector<Message> heard() const {
    std::vector<Message> messages;
    for (const auto& say : session.all<Say>())
      if (const auto* message = std::get_if<Message>(&say.message)) messages.push_back(*message);
    return messages;
  }
};

} // namespace

// B8.12: what the helper asks for is there: the warrant names the user, and the master, with its key, orders
// the process.
TEST_F(GivenAHostForHooks, WhenOneIsToBeRunThenItsAgentGetsAPartAndTheWordsBothSigned) {
  come(true);
  const auto ran = run();
  ASSERT_EQ(heard<session::Launch>().size(), 1u);
  const auto launch = heard<session::Launch>().front();
  EXPECT_TRUE(verify_signature(identity.key.public_key(), warrant_label + launch.warrant.content,
                               launch.warrant_signature.content));
  const auto warrant = parse_warrant(launch.warrant.content);
  ASSERT_TRUE(warrant.ok()) << warrant.what();
  EXPECT_EQ(warrant->user, "ann");
  EXPECT_EQ(warrant->uid, 1001);
  EXPECT_TRUE(warrant->control_slaves);
  EXPECT_NE(warrant->first_host, "n1");
  EXPECT_EQ(warrant->first_key, to_hex(identity.key.public_key()));
  ASSERT_EQ(heard<session::PeerStart>().size(), 1u);
  const auto start = heard<session::PeerStart>().front();
  EXPECT_EQ(start.attempt, warrant->attempt);
  EXPECT_EQ(std::vector<std::string>(start.command.end() - 2, start.command.end()),
            (std::vector<std::string>{"/hook", "a b"}));
  EXPECT_TRUE(verify_signature(identity.key.public_key(),
                               print_call({"n1", start.attempt, start.call, start.command,
                                           start.environment, start.directory, start.input}),
                               start.proof.content));
  EXPECT_EQ(heard<session::PeerInput>().front().content.content, "{}");

  say(session::TaskReport{start.attempt, session::TaskPhase::running, true, false, "", {}, {}});
  say(session::PeerOutput{start.call, {"no budget\nask ann\n"}, true});
  EXPECT_EQ(heard<session::PeerInput>().back().taken, 18);
  EXPECT_FALSE(ran->has_value());
  ExitRecord record;
  record.exit_status = 3;
  say(session::PeerEnded{start.call, record});
  ASSERT_TRUE(ran->has_value());
  EXPECT_EQ(ran->value().failure, "/hook exited with 3");
  EXPECT_EQ(ran->value().said, "no budget");
  EXPECT_EQ(ran->value().output, "no budget\nask ann\n");
  EXPECT_EQ(heard<session::Forget>().size(), 1u);
}

TEST_F(GivenAHostForHooks, WhenNobodyIsThereThenItFailsAtOnce) {
  EXPECT_EQ(run()->value().failure, "host n1 cannot be reached");
  come(false);
  EXPECT_EQ(run()->value().failure, "the agent on n1 is too old to run hooks");
}

TEST_F(GivenAHostForHooks, WhenItsTimeIsOverThenItIsEnded) {
  come(true);
  const auto ran = run();
  pass(seconds(29));
  EXPECT_FALSE(ran->has_value());
  pass(seconds(2));
  ASSERT_TRUE(ran->has_value());
  EXPECT_EQ(ran->value().failure, "/hook took too long");
  EXPECT_EQ(heard<session::Forget>().size(), 1u);
}

TEST_F(GivenAHostForHooks, WhenTheHostIsLostOrRefusesThenItFails) {
  come(true);
  const auto refused = run();
  ExitRecord record;
  record.failed = failed::before_job, record.reason = "user \"ann\" is not known on n1";
  say(session::TaskReport{
      {{}, 0, 7}, session::TaskPhase::ended, false, true, "store", {1}, record});
  EXPECT_EQ(refused->value().failure, "user \"ann\" is not known on n1");
  const auto lost = run();
  tell(actor, SessionDown{5, "gone", 0});
  EXPECT_EQ(lost->value().failure, "host n1 was lost while it ran");
}
