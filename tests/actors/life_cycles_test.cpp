#include "actors/master/life_cycles.hpp"
#include "actors/master/warrants.hpp"
#include "schema/codec.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

class GivenLifeCycles : public ActorFixture {
public:
  Partner calendar = partner(), archive = partner(), views = partner(), gate = partner();
  LifeCycleContext context{calendar.as<CalendarActor>(),
                           archive.as<ArchiveActor>(),
                           views.as<ViewsActor>(),
                           gate.as<GateActor>(),
                           directory,
                           &clock,
                           nullptr,
                           "store",
                           1};

  template <class Fact> std::vector<Fact> facts() const {
    std::vector<Fact> result;
    for (const auto& tell : calendar.all<Tell>())
      if (const auto* fact = std::get_if<Fact>(&*tell.input)) result.push_back(*fact);
    return result;
  }
};

class GivenAReservation : public GivenLifeCycles {
public:
  ReservationActor actor = keep(spawn_reservation(system, context, {1}));
  Reservation record;

  GivenAReservation() {
    record.key = {7}, record.number = {1};
    record.phase = ReservationPhase::waiting;
    record.shape.window = {clock.now() + Duration{100}, clock.now() + Duration{200}};
  }
  void change() { tell(actor, ReservationChanged{std::make_shared<const Reservation>(record)}); }
};

// What a calendar answers to hosts, and what it was told.
struct CalendarBook {
  HostTasks answer;
  std::vector<RegisterHost> asked;
  std::vector<Input> told;
};
caf::behavior calendar_with(caf::event_based_actor*, const std::shared_ptr<CalendarBook>& book) {
  return {[book](const RegisterHost& news) {
            book->asked.push_back(news);
            return book->answer;
          },
          [book](const Tell& tell) { book->told.push_back(*tell.input); }};
}

class GivenAHost : public GivenLifeCycles {
public:
  std::shared_ptr<CalendarBook> book = std::make_shared<CalendarBook>();
  HostActor actor = begin();
  Partner session = partner(), second = partner();

  HostActor begin() {
    context.calendar = caf::actor_cast<CalendarActor>(keep(system.spawn(calendar_with, book)));
    const auto host = keep(spawn_host(system, context, "h1"));
    tell(host, HostChanged{HostState{}, Duration{10}, {Duration{40}, {}}});
    return host;
  }
  // A task with the key 3 has a part on each.
  void want_parts_on(const std::string& first, const std::string& other) {
    auto order = std::make_shared<session::Launch>();
    order->attempt = {3, 0, 1};
    order->job.tasks.resize(1);
    order->job.tasks.front().grants = {{{"all.q", first}, 1}};
    for (const auto& host : {first, other})
      order->parts.push_back({host, {"all.q", host}, 1, "", "/tmp", {}});
    tell(actor, WantTask{order, true, false, false});
  }
  template <class Fact> std::vector<Fact> told() const {
    std::vector<Fact> result;
    for (const auto& input : book->told)
      if (const auto* fact = std::get_if<Fact>(&input)) result.push_back(*fact);
    return result;
  }
  std::vector<bool> silences() const {
    std::vector<bool> result;
    for (const auto& fact : told<HostSilent>()) result.push_back(fact.unknown);
    return result;
  }
  void say(std::uint64_t id, session::Message message) {
    tell(actor, SessionSaid{id, std::make_shared<session::Message>(std::move(message))});
  }
  /// A session that proves to have a key, and gives its list.
  void come(const Partner& who, std::uint64_t id, const KeyClaim& claim = {"K", 1, {}},
            std::vector<session::TaskReport> tasks = {}) {
    tell(actor, SessionUp{who.pointer(), id, "h1", claim});
    say(id, session::Register{HostFacts(), std::move(tasks)});
  }
  template <class Message> static std::size_t heard(const Partner& who) {
    std::size_t count = 0;
    for (const auto& say : who.all<Say>()) count += std::holds_alternative<Message>(say.message);
    return count;
  }
};

} // namespace

TEST_F(GivenAReservation, WhenItsStartAndEndComeThenEachIsSaidOnce) {
  change();
  pass(seconds(99));
  EXPECT_TRUE(facts<ReservationDue>().empty());
  pass(seconds(1));
  ASSERT_EQ(facts<ReservationDue>().size(), 1u);
  EXPECT_EQ(facts<ReservationDue>().front().reservation.value, 7);
  record.phase = ReservationPhase::running;
  change();
  pass(seconds(100));
  EXPECT_EQ(facts<ReservationDue>().size(), 2u);
}

TEST_F(GivenAReservation, WhenItIsMovedThenTheOldTimerMeansNothing) {
  change();
  record.shape.window = {clock.now() + Duration{500}, clock.now() + Duration{600}};
  change();
  pass(seconds(499));
  EXPECT_TRUE(facts<ReservationDue>().empty());
  pass(seconds(2));
  EXPECT_EQ(facts<ReservationDue>().size(), 1u);
}

TEST_F(GivenAReservation, WhenItComesTooLateAfterARestartThenItIsDueAtOnce) {
  record.shape.window.start = clock.now() - Duration{5};
  change();
  EXPECT_EQ(facts<ReservationDue>().size(), 1u);
}

TEST_F(GivenAHost, WhenItsSessionIsLostThenItIsSuspectAtOnceAndUnknownAfterMaxUnheard) {
  come(session, 5);
  tell(actor, SessionDown{4, "an older one", 0});
  EXPECT_TRUE(silences().empty());
  tell(actor, SessionDown{5, "gone", 0});
  EXPECT_EQ(silences(), std::vector<bool>({false}));
  pass(seconds(9));
  EXPECT_EQ(silences(), std::vector<bool>({false}));
  pass(seconds(2));
  EXPECT_EQ(silences(), std::vector<bool>({false, true}));
  pass(seconds(30));
  EXPECT_EQ(silences(), std::vector<bool>({false, true})) << "said once, not with every beat";
}

TEST_F(GivenAHost, WhenItsSessionEndsForSilenceThenThatCounts) {
  come(session, 5);
  tell(actor, SessionDown{5, "silent for 4 s", 5});
  pass(seconds(6));
  EXPECT_EQ(silences(), std::vector<bool>({false, true}));
}

TEST_F(GivenAHost, WhenTheMasterHasJustStartedThenItsAgentHasTimeToComeBack) {
  pass(seconds(19));
  EXPECT_TRUE(silences().empty());
  pass(seconds(2));
  EXPECT_EQ(silences(), std::vector<bool>({true}));
}

TEST_F(GivenAHost, WhenATaskIsWantedThenItIsOrderedOnceRegistrationIsThere) {
  auto order = std::make_shared<session::Launch>();
  order->attempt = {3, 0, 1};
  order->parts = {{"h1", {"all.q", "h1"}, 1, "", "/tmp", {}}};
  tell(actor, WantTask{order, true, false, false});
  tell(actor, SessionUp{session.pointer(), 5});
  EXPECT_TRUE(session.all<Say>().empty()) << "no order before lists agree";
  say(5, session::Register{});
  EXPECT_EQ(heard<session::Launch>(session), 1u);
}

TEST_F(GivenAHost, WhenAnOldSessionSpeaksThenNobodyListens) {
  want_parts_on("h1", "h2");
  come(session, 5);
  say(4, PartSilent{{3, 0, 1}, "h2"});
  EXPECT_TRUE(told<PartSilent>().empty());
  say(5, PartSilent{{3, 0, 1}, "h2"});
  EXPECT_EQ(told<PartSilent>().size(), 1u);
  tell(actor, SessionUp{second.pointer(), 6, "h1", {"K", 1, {}}});
  say(6, PartSilent{{3, 0, 1}, "h2"});
  EXPECT_EQ(told<PartSilent>().size(), 1u) << "nor is one that has not registered heard";
}

TEST_F(GivenAHost, WhenTheRegisterRefusesAnAgentThenTheFirstOneKeepsTheName) {
  come(session, 5);
  book->answer.refusal = "no";
  come(second, 6);
  EXPECT_EQ(book->asked.back().claim.key, "K");
  EXPECT_EQ(book->asked.back().rival, Rival::there);
  EXPECT_EQ(heard<session::Refused>(second), 1u);
  EXPECT_EQ(heard<session::Refused>(session), 0u);
  tell(actor, SessionDown{6, "refused", 0});
  EXPECT_TRUE(silences().empty());
  say(5, session::Renew{7});
  EXPECT_EQ(heard<session::Renewed>(session), 1u);
}

TEST_F(GivenAHost, WhenTheFirstOneSpeaksAfterTheSecondWasSentAwayThenTwoAreAlive) {
  come(session, 5);
  book->answer.refusal = "no";
  come(second, 6);
  say(5, session::Renew{7});
  come(second, 7);
  EXPECT_EQ(book->asked.back().rival, Rival::there) << "that was on its way";
  pass(seconds(4));
  say(5, session::Renew{8});
  come(second, 8);
  EXPECT_EQ(book->asked.back().rival, Rival::lively);
  tell(actor, SessionDown{5, "gone", 0});
  come(second, 9);
  EXPECT_EQ(book->asked.back().rival, Rival::none);
}

TEST_F(GivenAHost, WhenTwoTakeTheNameFromEachOtherThenTheyAreTwo) {
  come(session, 5);
  come(second, 6);
  EXPECT_EQ(heard<session::Refused>(session), 1u) << "it came in its place";
  EXPECT_TRUE(silences().empty());
  come(session, 7);
  EXPECT_EQ(book->asked.back().rival, Rival::there);
  come(second, 8);
  EXPECT_EQ(book->asked.back().rival, Rival::lively);
  for (std::uint64_t id = 9; id < 12; ++id) {
    pass(seconds(10));
    come(session, id);
    EXPECT_EQ(book->asked.back().rival, Rival::there) << "an agent that loses its link so often";
  }
}

TEST_F(GivenAHost, WhenItsKeyIsRevokedThenItsSessionEndsAndItsTasksAreThoseOfALostHost) {
  come(session, 5);
  HostKey key{"h1", KeyState::good, "K", 1, 1, {}, {}, {}, {}};
  tell(actor, HostChanged{HostState{}, {Duration{10}, {Duration{40}, {}}}, key});
  EXPECT_EQ(heard<session::Refused>(session), 0u);
  revoke(key, clock.now());
  tell(actor, HostChanged{HostState{}, {Duration{10}, {Duration{40}, {}}}, key});
  EXPECT_EQ(heard<session::Refused>(session), 1u);
  EXPECT_EQ(heard<session::Control>(session), 0u);
  EXPECT_EQ(silences(), std::vector<bool>({false}));
  say(5, PartSilent{{3, 0, 1}, "h2"});
  EXPECT_TRUE(told<PartSilent>().empty());
}

TEST_F(GivenAHost, WhenItsTicketExpiresThenItsLeaseIsNotRenewed) {
  come(session, 5, {"K", 1, clock.now() + Duration{20}});
  say(5, session::Renew{1});
  EXPECT_EQ(heard<session::Renewed>(session), 1u);
  pass(seconds(20));
  say(5, session::Renew{2});
  EXPECT_EQ(heard<session::Renewed>(session), 1u);
  EXPECT_EQ(heard<session::Refused>(session), 1u);
}

TEST_F(GivenAHost, WhenItIsNoExecHostAnyMoreThenItsSessionEnds) {
  come(session, 5);
  tell(actor, HostGone{});
  EXPECT_EQ(heard<session::Refused>(session), 1u);
}

// Else whoever has the keys of one host could end jobs of others with a part on a host that is
// down.
TEST_F(GivenAHost, WhenItSpeaksOfAPartOfATaskWhoseFirstHostItIsNotThenNobodyListens) {
  come(session, 5);
  say(5, PartSilent{{3, 0, 1}, "h2"});
  want_parts_on("h2", "h1");
  say(5, PartSilent{{3, 0, 1}, "h2"});
  say(5, PartSilent{{3, 0, 1}, "h1"});
  EXPECT_TRUE(told<PartSilent>().empty());
}

TEST_F(GivenAHost, WhenTheAgentRenewsItsLeaseWithAnotherNonceThenWarrantsNameThatOne) {
  const Identity identity{"test", "master", session::Role::master, SigningKey::generate(), "",
                          "",     ""};
  context.identity = &identity;
  actor = begin();
  tell(actor, SessionUp{session.pointer(), 5, "h1", {"K", 1, {}}});
  say(5, session::Register{HostFacts(), {}, {"first"}, warrant_version});
  say(5, session::Renew{7, {"second"}});
  say(5, session::Renew{8});
  want_parts_on("h1", "h2");
  ASSERT_EQ(heard<session::Launch>(session), 1u);
  for (const auto& said : session.all<Say>()) {
    const auto* order = std::get_if<session::Launch>(&said.message);
    if (!order) continue;
    EXPECT_NE(order->warrant.content.find("nonce 6\nsecond\n"), std::string::npos);
  }
}

// spec/objects.md O12.11
TEST_F(GivenAHost, WhenItsAgentKnowsCommonFilesThenItHearsOfThemInItsSessionAndGetsThem) {
  auto files = partner();
  context.common_files = files.as<CommonFilesActor>();
  actor = begin();
  EXPECT_EQ(files.all<FollowCommonFiles>().size(), 1u);
  const auto shown = std::make_shared<const std::vector<CommonFileContent>>(
      std::vector<CommonFileContent>{{{"sge_request", "hash"}, "-j y"}});
  tell(actor, CommonFilesChanged{shown});
  session::Register list;
  list.takes_common_files = true;
  tell(actor, SessionUp{session.pointer(), 5, "h1", {"K", 1, {}}});
  say(5, session::GetCommonFile{"sge_request"});
  EXPECT_TRUE(session.all<Say>().empty()) << "it has not registered";
  say(5, list);
  EXPECT_EQ(heard<session::CommonFiles>(session), 1u);
  ASSERT_TRUE(std::holds_alternative<session::Registered>(session.all<Say>().front().message))
      << "before it the session is not open";
  say(5, session::GetCommonFile{"sge_request"});
  EXPECT_EQ(heard<session::CommonFile>(session), 1u);
  tell(actor, SessionDown{5, "gone", 0});
  tell(actor, CommonFilesChanged{shown});
  EXPECT_EQ(heard<session::CommonFiles>(session), 1u);
  come(second, 6);
  EXPECT_EQ(heard<session::CommonFiles>(second), 0u) << "an agent of an earlier version";
}

TEST_F(GivenAHost, WhenItsHelperReadsAnotherVersionOfWarrantsThenItsAgentIsNotLetIn) {
  const std::map<std::int64_t, std::string> answers{
      {0, "agent h1 reads warrants of version 1: upgrade it"},
      {1, "agent h1 reads warrants of version 1: upgrade it"},
      {warrant_version + 1, "agent h1 reads warrants of version 7: upgrade the master"}};
  for (const auto& [version, answer] : answers) {
    const auto id = static_cast<std::uint64_t>(5 + version);
    const Partner other = partner();
    tell(actor, SessionUp{other.pointer(), id, "h1", {"K", 1, {}}});
    say(id, session::Register{HostFacts(), {}, {"nonce"}, version});
    ASSERT_EQ(heard<session::Refused>(other), 1u);
    for (const auto& said : other.all<Say>())
      if (const auto* refused = std::get_if<session::Refused>(&said.message)) {
        EXPECT_EQ(refused->reason, answer);
      }
    EXPECT_EQ(views.all<PublishNotice>().back().text, answer);
  }
}

// A part says that it could not be launched or that it is lost: how the task ended is said by its
// first host only.
TEST_F(GivenAHost, WhenAPartOfATaskEndsThereThenTheTaskHasNotEnded) {
  come(session, 5);
  want_parts_on("h2", "h1");
  session::TaskReport report{{3, 0, 1},   session::TaskPhase::ended, true, false, "store", 1,
                             ExitRecord()};
  for (const auto code : {failed::none, failed::rescheduled, failed::killed}) {
    report.record.failed = code, report.record.exit_status = 99;
    say(5, report);
  }
  EXPECT_EQ(told<TaskLost>().size(), 2u) << "that it was cleared says nothing of it";
  report.began = false, report.record.failed = failed::rescheduled;
  say(5, report);
  ASSERT_EQ(told<LaunchFailed>().size(), 1u);
  EXPECT_EQ(told<LaunchFailed>().front().host, "h1");
  EXPECT_TRUE(told<TaskEnded>().empty());
}

namespace {

// The frames of an answer that is longer than what anybody says at once.
DoorReply long_answer(std::int64_t connection, std::size_t frames) {
  std::vector<door::ReplyBody> bodies;
  for (std::size_t i = 0; i < frames; ++i)
    bodies.emplace_back(door::Output{{std::to_string(i)}, false});
  auto rest = std::make_shared<EncodedFrames>(ready_frames(std::move(bodies)));
  auto first = *rest->next();
  return {connection, std::move(first), false, std::move(rest)};
}

int looked_up = 0;
Vouched alice_is_bob(Caller caller) {
  ++looked_up;
  if (caller.user != "alice") return {caller, ""};
  caller.user.clear(), caller.uid = nobody;
  return {caller, "is bob"};
}

// A session whose far side takes something in when it is told to.
struct SlowSession {
  std::vector<session::RelayAnswer> said;
  std::vector<caf::typed_response_promise<AwaitRoom>> waiting;

  static caf::behavior run(caf::event_based_actor* self, std::shared_ptr<SlowSession> state) {
    return {[state](const Say& say) {
              if (const auto* answer = std::get_if<session::RelayAnswer>(&say.message))
                state->said.push_back(*answer);
            },
            [self, state](const AwaitRoom&) {
              state->waiting.push_back(self->make_response_promise<AwaitRoom>());
              return state->waiting.back();
            },
            [state](const Wake&) {
              for (auto& promise : std::exchange(state->waiting, {})) promise.deliver(AwaitRoom{});
            }};
  }
};

} // namespace

TEST_F(GivenAHost, WhenItsAgentCallsSomebodyOtherwiseThanThisMachineThenHeIsNobody) {
  context.vouched = alice_is_bob;
  actor = begin();
  come(session, 5);
  say(5, session::Relay{1, {"alice", "users", 7, 7, "x", "y"}, {"ask"}});
  say(5, session::Relay{1, {"bob", "users", 8, 7, "x", "y"}, {"ask"}});
  const auto asked = gate.all<DoorFrame>();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0].caller.user, "");
  EXPECT_EQ(asked[0].caller.uid, nobody);
  EXPECT_EQ(asked[1].caller.user, "bob");
  EXPECT_EQ(asked[1].caller.host, "h1");
}

TEST_F(GivenAHost, WhenItsUsersAskOftenThenTheAccountsAreLookedUpOnceInTenSeconds) {
  context.vouched = alice_is_bob;
  actor = begin();
  come(session, 5);
  const auto ask = [&](const std::string& user) {
    say(5, session::Relay{1, {user, "users", 7, 7, "x", "y"}, {"ask"}});
  };
  looked_up = 0;
  for (int i = 0; i < 5; ++i) ask("alice"), ask("bob");
  EXPECT_EQ(looked_up, 2);
  clock.milliseconds += 10'000;
  ask("bob");
  EXPECT_EQ(looked_up, 3);
  for (int i = 0; i < 2000; ++i) ask("u" + std::to_string(i));
  looked_up = 0;
  ask("u0");
  EXPECT_EQ(looked_up, 1) << "of so many none is kept";
  EXPECT_EQ(gate.all<DoorFrame>().size(), 2012u);
  EXPECT_EQ(gate.all<DoorFrame>().front().caller.user, "");
}

TEST_F(GivenAHost, WhenAnAnswerIsLongThenTheAgentGetsItAsItTakesIt) {
  const auto slow = std::make_shared<SlowSession>();
  const auto far = keep(system.spawn(SlowSession::run, slow));
  tell(actor, SessionUp{caf::actor_cast<caf::strong_actor_ptr>(far), 5, "h1", {"K", 1, {}}});
  say(5, session::Register{HostFacts(), {}});
  tell(actor, long_answer(1, 5));
  tell(actor, DoorReply{2, "short", true, nullptr});
  ASSERT_EQ(slow->said.size(), 1u) << "others do not wait for it";
  EXPECT_EQ(slow->said.front().connection, 2);
  tell(actor, long_answer(3, 2));
  for (std::size_t taken = 1; taken <= 7; ++taken) {
    tell(far, Wake{});
    EXPECT_EQ(slow->said.size(), 1 + taken);
  }
  tell(far, Wake{});
  ASSERT_EQ(slow->said.size(), 8u);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(slow->said[1 + i].connection, i < 5 ? 1 : 3);
    const auto frame = decode<door::Reply>(slow->said[1 + i].frame.content);
    EXPECT_EQ(frame->done, i == 4 || i == 6);
  }
}

TEST_F(GivenAHost, WhenManyLongAnswersWaitForItThenWhoeverComesNextIsToComeAgain) {
  const auto slow = std::make_shared<SlowSession>();
  const auto far = keep(system.spawn(SlowSession::run, slow));
  tell(actor, SessionUp{caf::actor_cast<caf::strong_actor_ptr>(far), 5, "h1", {"K", 1, {}}});
  say(5, session::Register{HostFacts(), {}});
  for (int i = 0; i < 64; ++i) tell(actor, long_answer(i, 3));
  EXPECT_TRUE(slow->said.empty());
  tell(actor, long_answer(64, 3));
  ASSERT_EQ(slow->said.size(), 1u);
  const auto reply = decode<door::Reply>(slow->said.front().frame.content);
  EXPECT_TRUE(std::holds_alternative<door::Busy>(reply->body));
}

// After a start of the master an agent may register before the job's actor has said what it wants.
TEST_F(GivenAHost, WhenTheAgentIsFasterThanTheJobThenItsTaskIsNeitherForgottenNorOrderedAgain) {
  const Attempt attempt{3, 0, 1};
  book->answer.wanted = {{attempt, true, false}};
  session::TaskReport ended{attempt, session::TaskPhase::ended, true, false, "store", 1, {}};
  come(session, 5, {"K", 1, {}}, {ended});
  auto order = std::make_shared<session::Launch>();
  order->attempt = attempt;
  order->parts = {{"h1", {"all.q", "h1"}, 1, "", "/tmp", {}}};
  tell(actor, WantTask{order, true, false, false});
  for (const auto& say : session.all<Say>()) {
    EXPECT_FALSE(std::holds_alternative<session::Forget>(say.message));
    EXPECT_FALSE(std::holds_alternative<session::Launch>(say.message));
  }
  ASSERT_EQ(book->told.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<TaskEnded>(book->told.front()))
      << "its end is not lost either";
}
