#include "actors/life_cycles.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

class GivenLifeCycles : public ActorFixture {
public:
  Partner calendar = partner(), journal = partner(), views = partner(), gate = partner();
  LifeCycleContext context{calendar.as<CalendarActor>(),
                           journal.as<JournalActor>(),
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
  ReservationActor actor = keep(spawn_reservation(system, context, 1));
  Reservation record;

  GivenAReservation() {
    record.key = 7, record.number = 1;
    record.phase = ReservationPhase::waiting;
    record.shape.window = {clock.now() + Duration{100}, clock.now() + Duration{200}};
  }
  void change() { tell(actor, ReservationChanged{std::make_shared<const Reservation>(record)}); }
};

class GivenAHost : public GivenLifeCycles {
public:
  HostActor actor = keep(spawn_host(system, context, "h1"));
  Partner session = partner();

  GivenAHost() { tell(actor, HostChanged{HostState{}, Duration{10}, {Duration{40}, {}}}); }
  std::vector<bool> silences() const {
    std::vector<bool> result;
    for (const auto& fact : facts<HostSilent>()) result.push_back(fact.unknown);
    return result;
  }
};

// A calendar whose records have one task on each host.
caf::behavior calendar_that_wants(caf::event_based_actor*, const Attempt& attempt,
                                  const std::shared_ptr<std::vector<Input>>& told) {
  return {[attempt](const RegisterHost&) {
            return HostTasks{{{attempt, true, false}}, {}};
          },
          [told](const Tell& tell) { told->push_back(*tell.input); }};
}

} // namespace

TEST_F(GivenAReservation, WhenItsStartAndEndComeThenEachIsSaidOnce) {
  change();
  pass(seconds(99));
  EXPECT_TRUE(facts<ReservationDue>().empty());
  pass(seconds(1));
  ASSERT_EQ(facts<ReservationDue>().size(), 1u);
  EXPECT_EQ(facts<ReservationDue>().front().reservation, 7);
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
  tell(actor, SessionUp{session.pointer(), 5});
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
  tell(actor, SessionUp{session.pointer(), 5});
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
  order->parts = {{"h1", "all.q@h1", 1, "", "/tmp", {}}};
  tell(actor, WantTask{order, true, false, false});
  tell(actor, SessionUp{session.pointer(), 5});
  EXPECT_TRUE(session.all<Say>().empty()) << "no order before lists agree";
}

TEST_F(GivenAHost, WhenAnOldSessionSpeaksThenNobodyListens) {
  tell(actor, SessionUp{session.pointer(), 5});
  tell(actor, SessionSaid{4, std::make_shared<session::Message>(PartSilent{{3, 0, 1}, "h2"})});
  EXPECT_TRUE(facts<PartSilent>().empty());
  tell(actor, SessionSaid{5, std::make_shared<session::Message>(PartSilent{{3, 0, 1}, "h2"})});
  EXPECT_EQ(facts<PartSilent>().size(), 1u);
}

// After a start of the master an agent may register before the job's actor has said what it wants.
TEST_F(GivenAHost, WhenTheAgentIsFasterThanTheJobThenItsTaskIsNeitherForgottenNorOrderedAgain) {
  const Attempt attempt{3, 0, 1};
  auto told = std::make_shared<std::vector<Input>>();
  const auto knowing = keep(system.spawn(calendar_that_wants, attempt, told));
  context.calendar = caf::actor_cast<CalendarActor>(knowing);
  const auto host = keep(spawn_host(system, context, "h1"));
  tell(host, SessionUp{session.pointer(), 5});
  session::TaskReport ended{attempt, session::TaskPhase::ended, true, false, "store", 1, {}};
  tell(host,
       SessionSaid{5, std::make_shared<session::Message>(session::Register{HostFacts(), {ended}})});
  auto order = std::make_shared<session::Launch>();
  order->attempt = attempt;
  order->parts = {{"h1", "all.q@h1", 1, "", "/tmp", {}}};
  tell(host, WantTask{order, true, false, false});
  for (const auto& say : session.all<Say>()) {
    EXPECT_FALSE(std::holds_alternative<session::Forget>(say.message));
    EXPECT_FALSE(std::holds_alternative<session::Launch>(say.message));
  }
  ASSERT_EQ(told->size(), 1u);
  EXPECT_TRUE(std::holds_alternative<TaskEnded>(told->front())) << "its end is not lost either";
}
