#include "core/answer/gridengine.hpp"
#include "actors/master/gate.hpp"
#include "actors/master/verifiers.hpp"
#include "schema/codec.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;

namespace {

class GivenAGate : public ActorFixture {
public:
  Partner views = partner(), archive = partner(), feed = partner(), pricer = partner(),
          calendar = partner(), door = partner();
  GateActor gate =
      keep(spawn_gate(system, directory, views.as<ViewsActor>(), archive.as<ArchiveActor>(),
                      feed.as<FeedActor>(), pricer.as<PricerActor>()));
  Caller alice{"alice", "users", 1001, 1001, "h1"};

  void enter(const std::string& content) { tell_as(door, gate, DoorFrame{1, alice, content}); }
  door::Reply last_reply() const {
    return *decode<door::Reply>(door.all<DoorReply>().back().content);
  }
  static std::string command(const std::string& id) {
    return encode(door::Request{1, id, door::RunCommand{DeleteJobs{{"1"}, {}, {}, false}}});
  }
};

} // namespace

TEST_F(GivenAGate, WhenAFrameIsGarbageThenItIsRefusedWithAReason) {
  enter("no message at all");
  const auto reply = last_reply();
  const auto* answer = std::get_if<Answer>(&reply.body);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->exit_code, 1);
  EXPECT_NE(gridengine::lines_of(*answer).front().text.find("can't be read"), std::string::npos);
}

TEST_F(GivenAGate, WhenTheCalendarIsNotThereYetThenEverybodyIsAskedToComeAgain) {
  enter(command("a"));
  EXPECT_TRUE(std::holds_alternative<door::Busy>(last_reply().body));
  tell(gate, OpenGate{calendar.pointer()});
  enter(command("a"));
  EXPECT_EQ(calendar.all<HandleCommand>().size(), 1u);
}

TEST_F(GivenAGate, WhenAUserHasTooMuchInFlightThenTheRestIsBusyAndOthersAreNot) {
  tell(gate, OpenGate{calendar.pointer()});
  for (int i = 0; i < 256; ++i) enter(command(std::to_string(i)));
  EXPECT_TRUE(door.all<DoorReply>().empty());
  enter(command("256"));
  EXPECT_TRUE(std::holds_alternative<door::Busy>(last_reply().body));
  alice.uid = 1002;
  enter(command("other"));
  EXPECT_EQ(door.all<DoorReply>().size(), 1u);
}

namespace {

// A calendar that answers when it is told to.
struct SlowCalendar {
  std::vector<std::int64_t> uids; ///< whose commands came, in order
  std::vector<caf::typed_response_promise<Answer>> promises;

  static caf::behavior run(caf::event_based_actor* self, std::shared_ptr<SlowCalendar> calendar) {
    return {[self, calendar](const HandleCommand& command) {
              calendar->uids.push_back(command.command->caller.uid);
              calendar->promises.push_back(self->make_response_promise<Answer>());
              return calendar->promises.back();
            },
            [calendar](const Wake& which) {
              calendar->promises[static_cast<std::size_t>(which.generation)].deliver(Answer{});
            }};
  }
};

} // namespace

TEST_F(GivenAGate, WhenOneUserSendsManyRequestsThenTheNextUserWaitsForFewOfThem) {
  const auto calendar_that_waits = std::make_shared<SlowCalendar>();
  auto& slow = *calendar_that_waits;
  const auto actor = keep(system.spawn(SlowCalendar::run, calendar_that_waits));
  tell(gate, OpenGate{caf::actor_cast<caf::strong_actor_ptr>(actor)});
  for (int i = 0; i < 200; ++i) enter(command(std::to_string(i)));
  ASSERT_EQ(slow.uids.size(), 120u) << "the rest is kept for root and managers";
  alice.uid = 1002;
  enter(command("other"));
  for (int i = 0; i < 2; ++i) tell(actor, Wake{i});
  ASSERT_EQ(slow.uids.size(), 122u);
  EXPECT_EQ(slow.uids.back(), 1002);
}

// What the calendar does with a thousand others must not keep an operator from helping.
TEST_F(GivenAGate, WhenAllPlacesOfUsersAreTakenThenRootIsServedAtOnceAndRootElsewhereWaits) {
  const auto calendar_that_waits = std::make_shared<SlowCalendar>();
  auto& slow = *calendar_that_waits;
  const auto actor = keep(system.spawn(SlowCalendar::run, calendar_that_waits));
  tell(gate, PrecedenceChanged{{{"boss"}, {"master"}}});
  tell(gate, OpenGate{caf::actor_cast<caf::strong_actor_ptr>(actor)});
  const auto busy = [&] { return door.all<DoorReply>().size(); };
  for (int user = 0; user < 17; ++user) {
    alice.uid = 2000 + user;
    for (int i = 0; i < 256; ++i) enter(command(std::to_string(i)));
  }
  ASSERT_EQ(slow.uids.size(), 120u);
  EXPECT_EQ(busy(), 17u * 256 - (4096 - 64)) << "the last find the gate full";
  alice = {"root", "root", 0, 0, "h1"};
  enter(command("of another host's root"));
  EXPECT_EQ(busy(), 17u * 256 - (4096 - 64) + 1);
  alice.host = "master";
  enter(command("root's"));
  ASSERT_EQ(slow.uids.size(), 121u);
  EXPECT_EQ(slow.uids.back(), 0);
  alice = {"boss", "users", 900, 900, "Master"};
  enter(command("a manager's"));
  EXPECT_EQ(slow.uids.back(), 900);
}

// Whom an agent names nobody can know: it may be 100,000 users who ask all at once.
TEST_F(GivenAGate, WhenAnAgentBringsRequestsOfThousandsThenTheyHaveTheShareOfOneUser) {
  tell(gate, OpenGate{calendar.pointer()});
  const auto bring = [&](const std::string& host, int users) {
    const auto before = door.all<DoorReply>().size();
    for (int i = 0; i < users; ++i) {
      alice = {"someone", "users", 10'000 + i, 1001, host, "the agent on " + host};
      enter(command(host + std::to_string(i)));
    }
    return users - static_cast<int>(door.all<DoorReply>().size() - before);
  };
  const auto taken = bring("h1", 3000);
  EXPECT_LE(taken, 256);
  EXPECT_GE(taken, 200);
  EXPECT_EQ(bring("h2", 100), 100) << "those on other hosts have room";
  alice = {"alice", "users", 1001, 1001, "master", "the master's own door"};
  const auto before = door.all<DoorReply>().size();
  enter(command("at the master's door"));
  EXPECT_EQ(door.all<DoorReply>().size(), before);
}

TEST_F(GivenAGate, WhenWhatAnAgentBroughtIsAnsweredThenThereIsRoomForMore) {
  tell(gate, OpenGate{calendar.pointer()});
  const auto bring = [&](int uid, const std::string& content) {
    alice = {"someone", "users", uid, 1001, "h1", "the agent on h1"};
    enter(content);
    return door.all<DoorReply>().size();
  };
  std::size_t answers = 0;
  for (int i = 0; i < 1000; ++i) {
    bring(i, command("")); // refused at once: it has no id
    ASSERT_EQ(door.all<DoorReply>().size(), ++answers);
    EXPECT_TRUE(std::holds_alternative<Answer>(last_reply().body)) << i;
  }
}

namespace {

// A calendar with a job that goes on for ever.
caf::behavior calendar_with_a_job(caf::event_based_actor*, const caf::strong_actor_ptr& job) {
  return {[](const Ask&) { return Answer{}; }, [job](const GetJobActor&) { return job; }};
}

} // namespace

TEST_F(GivenAGate, WhenAnAgentLetsThousandsWaitForAJobThenThereIsAnEndToIt) {
  const auto job = partner();
  const auto actor = keep(system.spawn(calendar_with_a_job, job.pointer()));
  tell(gate, OpenGate{caf::actor_cast<caf::strong_actor_ptr>(actor)});
  const auto wait_for_it = encode(door::Request{1, "a", door::AwaitJob{{1}}});
  alice = {"someone", "users", 1, 1001, "h1", "the agent on h1"};
  for (int i = 0; i < 8192; ++i) {
    alice.uid = 10'000 + i;
    enter(wait_for_it);
  }
  EXPECT_TRUE(door.all<DoorReply>().empty());
  ++alice.uid;
  enter(wait_for_it);
  ASSERT_EQ(door.all<DoorReply>().size(), 1u);
  EXPECT_TRUE(std::holds_alternative<door::Busy>(last_reply().body));
  alice.host = "h2", alice.through = "the agent on h2";
  enter(wait_for_it);
  EXPECT_EQ(door.all<DoorReply>().size(), 1u);
}

TEST_F(GivenAGate, WhenACommandHasNoIdThenItIsRefused) {
  tell(gate, OpenGate{calendar.pointer()});
  enter(command(""));
  EXPECT_TRUE(calendar.all<HandleCommand>().empty());
  EXPECT_TRUE(std::holds_alternative<Answer>(last_reply().body));
}

TEST_F(GivenAGate, WhenARequestIsNotValidThenItIsRefusedBeforeAnybodyIsAsked) {
  tell(gate, OpenGate{calendar.pointer()});
  JobRequest array;
  array.name = "array", array.tasks = {1, 10, 0};
  for (const auto& body : {door::RequestBody(door::RunCommand{Submit{array, ""}}),
                           door::RequestBody(door::AskSubmit{{array, ""}})}) {
    enter(encode(door::Request{1, "a", body}));
    EXPECT_TRUE(std::holds_alternative<Answer>(last_reply().body));
  }
  EXPECT_TRUE(calendar.all<HandleCommand>().empty());
  EXPECT_TRUE(calendar.all<Ask>().empty());
}

// A job may end between the two questions of who waits for it: which actor is it, and what became
// of it.
TEST_F(GivenAGate, WhenAJobEndsWhileItsActorIsAskedForThenAccountingTellsTheEnd) {
  // Each has an argument: CAF refers to a tuple that is not there where there is none.
  const auto ended =
      system.spawn([](caf::event_based_actor* self, caf::exit_reason why) { self->quit(why); },
                   caf::exit_reason::normal);
  const auto ledger = keep(system.spawn(
      [](std::int64_t number) -> caf::behavior {
        return {[number](const FindAccounting& find) {
          EXPECT_EQ(find.query.filter.number.value, number);
          AccountingRecord record;
          record.job_number = find.query.filter.number, record.record.exit_status = 3;
          return DoorReply{0, encode(door::Reply{true, door::Accounting{{record}, {}}}), true,
                           nullptr};
        }};
      },
      7));
  const auto knows_the_actor = keep(system.spawn(
      [](const caf::actor& actor) -> caf::behavior {
        return {
            [](const Ask&) { return Answer{}; },
            [actor](const GetJobActor&) { return caf::actor_cast<caf::strong_actor_ptr>(actor); }};
      },
      caf::actor_cast<caf::actor>(ended)));
  const auto open = keep(spawn_gate(system, directory, views.as<ViewsActor>(),
                                    caf::actor_cast<ArchiveActor>(ledger), feed.as<FeedActor>(),
                                    pricer.as<PricerActor>()));
  tell(open, OpenGate{caf::actor_cast<caf::strong_actor_ptr>(knows_the_actor)});
  tell_as(door, open, DoorFrame{1, alice, encode(door::Request{1, "a", door::AwaitJob{{7}}})});
  const auto reply = last_reply();
  const auto* end = std::get_if<door::Accounting>(&reply.body);
  ASSERT_TRUE(end);
  ASSERT_EQ(end->records.size(), 1u);
  EXPECT_EQ(end->records.front().record.exit_status, 3);
}

namespace {

caf::behavior calendar_that_says(caf::event_based_actor*, const Answer& answer) {
  return {[answer](const Ask&) { return answer; }};
}

} // namespace

TEST_F(GivenAGate, WhenInputsAreWantedThenTheArchiveIsAskedForWhoMayLook) {
  const auto ask_where = [&](const Answer& answer) {
    const auto actor = keep(system.spawn(calendar_that_says, answer));
    tell(gate, OpenGate{caf::actor_cast<caf::strong_actor_ptr>(actor)});
    enter(encode(door::Request{2, "a", door::GetInputs{41, {{"job 1"}}}}));
    return archive.all<FindInputs>();
  };
  EXPECT_TRUE(ask_where(Answer::refusal("no manager")).empty());
  const auto asked = ask_where({});
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked.front().query.after, 41);
  EXPECT_EQ(asked.front().query.filter.about, std::vector<std::string>{"job 1"});
  EXPECT_EQ(asked.front().reader, alice.uid);
}

// ---- the JSV of a cell --------------------------------------------------------------------------

namespace {

// Says what it is told to, of one job after the other.
struct ScriptedJsv : public JobVerifier {
  JsvOutcome verify(const std::string& url, JsvDialogue) override {
    urls.push_back(url);
    return outcome;
  }
  std::string distrust(const std::string&) const override { return "it is not ours"; }

  std::vector<std::string> urls;
  JsvOutcome outcome;
};

class GivenAGateWithAJsv : public GivenAGate {
public:
  GivenAGateWithAJsv() {
    gate = keep(spawn_gate(system, directory, views.as<ViewsActor>(), archive.as<ArchiveActor>(),
                           feed.as<FeedActor>(), pricer.as<PricerActor>(), {},
                           {keep(spawn_verifiers(system, {&jsv, {}, directory, Thread::shared})),
                            [this](const std::string& url) { return jsv.distrust(url); }}));
    tell(gate, OpenGate{calendar.pointer()});
    tell(gate, HooksChanged{{}, "script:/site/jsv"});
  }
  void submit(JobRequest request = job()) {
    enter(encode(door::Request{1, "a", door::RunCommand{Submit{std::move(request), ""}}}));
  }
  static JobRequest job() {
    JobRequest request;
    request.name = "sleeper", request.binary = true, request.command = "sleep";
    return request;
  }
  /// The first line of what the client is told.
  std::string said() const {
    if (door.all<DoorReply>().empty()) return "(nothing yet)";
    const auto reply = last_reply();
    const auto* answer = std::get_if<Answer>(&reply.body);
    return answer ? gridengine::first_line_of(*answer) : "(no answer)";
  }
  /// What the planner is asked.
  const Submit& handed_on() const {
    return std::get<Submit>(calendar.all<HandleCommand>().back().command->body);
  }
  void says(JsvVerdict::State state, JsvChanges changes = {}, const std::string& text = "") {
    jsv.outcome.verdict.state = state, jsv.outcome.verdict.text = text;
    jsv.outcome.verdict.changes = std::move(changes);
  }

  ScriptedJsv jsv;
};

} // namespace

TEST_F(GivenAGateWithAJsv, WhenItAcceptsAJobThenThePlannerIsAskedAndToldWhoDid) {
  says(JsvVerdict::State::accept, {{{"N", "other"}}, {}});
  submit();
  EXPECT_EQ(jsv.urls, (std::vector<std::string>{"script:/site/jsv"}));
  ASSERT_EQ(calendar.all<HandleCommand>().size(), 1u);
  EXPECT_EQ(handed_on().request, job()) << "its changes count with CORRECT only";
  EXPECT_EQ(handed_on().verified_by, "script:/site/jsv");
}

TEST_F(GivenAGateWithAJsv, WhenItCorrectsAJobThenThePlannerHearsOfThatOneOnly) {
  says(JsvVerdict::State::correct, {{{"N", "other"}, {"l_hard", "h_rt=60"}}, {}});
  submit();
  ASSERT_EQ(calendar.all<HandleCommand>().size(), 1u);
  EXPECT_EQ(handed_on().request.name, "other");
  EXPECT_EQ(handed_on().request.resources, (std::vector<Attribute>{{"h_rt", "60"}}));
}

TEST_F(GivenAGateWithAJsv, WhenItRejectsAJobThenItsUserReadsWhyAndThePlannerIsNotAsked) {
  says(JsvVerdict::State::reject, {}, "no project");
  submit();
  EXPECT_EQ(said(), "Unable to run job: no project.");
  EXPECT_TRUE(calendar.all<HandleCommand>().empty());
}

TEST_F(GivenAGateWithAJsv, WhenItFailsOrMakesAJobThatCannotBeThenThatIsSaid) {
  jsv.outcome.failure = "it ended without a result";
  submit();
  EXPECT_EQ(said(), "Unable to run job: the JSV script:/site/jsv failed: it ended without a "
                    "result.");
  jsv.outcome.failure.clear();
  says(JsvVerdict::State::correct, {{{"p", "99999"}}, {}});
  submit();
  EXPECT_NE(said().find("parameter p 99999"), std::string::npos) << said();
  says(JsvVerdict::State::correct, {{{"N", "a/b"}}, {}});
  submit();
  EXPECT_NE(said().find("a/b"), std::string::npos) << said();
  EXPECT_TRUE(calendar.all<HandleCommand>().empty());
}

TEST_F(GivenAGateWithAJsv, WhenAClientSaysThatItWasVerifiedThenTheJsvIsAskedNevertheless) {
  says(JsvVerdict::State::reject, {}, "no");
  enter(encode(door::Request{1, "a", door::RunCommand{Submit{job(), "", 0, "script:/site/jsv"}}}));
  EXPECT_EQ(jsv.urls.size(), 1u);
  EXPECT_TRUE(calendar.all<HandleCommand>().empty());
}

TEST_F(GivenAGateWithAJsv, WhenItIsOffOrOtherThingsAreAskedThenNobodyAsksIt) {
  enter(command("b"));
  tell(gate, HooksChanged{{}, ""});
  submit();
  EXPECT_TRUE(jsv.urls.empty());
  EXPECT_EQ(calendar.all<HandleCommand>().size(), 2u);
  EXPECT_EQ(handed_on().verified_by, "");
}
