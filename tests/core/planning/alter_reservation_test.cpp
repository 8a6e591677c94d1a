// qralter: what may be changed of a reservation (spec/beyond.md section 12).
#include "granted_reservation_fixture.hpp"

using namespace almanac;

namespace {

class GivenAGrantedReservation : public GrantedReservationFixture {};

} // namespace

// B12.2, R4.16: an orphan serves those that have it as they have it.
TEST_F(GivenAGrantedReservation, WhenAnInstanceIsAnOrphanThenWhatAsksForNothingNewKeepsIt) {
  ConfigurationObject hosts{ObjectKind::host_group, "@allhosts", {{"hostlist", "h1 h3 h4"}}};
  grant(alice, 600, 600, 8, {"all.q@h1", "all.q@h2"});
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, hosts, {}}}).exit_code, 0);
  done(lasts(500));
  EXPECT_EQ(grants(), "h1=4 h2=4");
  done(lets_in("bob"));
  done(alter(alice, {"-spare"}, [](auto& r) { r.spare = 0; }));
  EXPECT_EQ(grants(), "h1=4 h2=4");
  const std::string orphaned = "queue instance \"all.q@h2\" dropped because it is orphaned: it has "
                               "what was granted there to advance reservation 1, no more and no "
                               "longer\n";
  refused(lasts(700), orphaned); // B0.8
  refused(has(9), orphaned);
  done(has(6));
  EXPECT_EQ(grants(), "h1=4 h2=2");
  refused(has(7), orphaned);
  at(600), due(1);
  run(bob, inside("100", 2, "h2"));
  done(has(2));
  EXPECT_EQ(grants(), "h2=2");
  books_agree();
}

// B12.2: what is not given is taken from the record, and refuses nothing.
TEST_F(GivenAGrantedReservation, WhenAQueueThatItAskedForIsGoneThenItIsOnlyMissedWhereItIsGiven) {
  const ConfigurationObject hosts{ObjectKind::host_group, "@allhosts", {{"hostlist", "h1 h3 h4"}}};
  grant(alice, 600, 600, 4, {"all.q@h2", "all.q@h3"});
  ASSERT_EQ(grants(), "h2=4");
  ASSERT_EQ(command(root, Configure{{ChangeVerb::modify, hosts, {}}}).exit_code, 0);
  done(lasts(700));
  ASSERT_EQ(grants(), "h3=4");
  done(has(3));
  EXPECT_EQ(grants(), "h3=3");
  refused(alter(alice, {"-q"},
                [](auto& r) {
                  r.queues = {"all.q@h2", "all.q@h3"};
                }),
          "unknown queue \"all.q@h2\"");
  books_agree();
}

// B12.04, B12.07, B12.2, beyond Q1
TEST_F(GivenAGrantedReservation, WhenItIsProlongedThenWhatFitsStays) {
  grant(alice, 600, 600, 8);
  take("h2", 1200, 1000);
  done(lasts(1200));
  EXPECT_EQ(grants(), "h1=4 h3=4");
  EXPECT_EQ(in_force(), (Window{{600}, {1800}})) << "-d keeps the start";
  EXPECT_EQ(booked("h2", 600, 1200), 0);
  books_agree();
}

// B12.05
TEST_F(GivenAGrantedReservation, WhenThereIsNoPlaceThenNothingChanges) {
  grant(alice, 600, 600, 8);
  for (const char* host : {"h2", "h3", "h4"}) take(host, 1200, 1000);
  const auto digest = planner.digest();
  refused(lasts(1200), "advance_reservation: no suitable queues\n");
  EXPECT_EQ(planner.digest(), digest);
}

// B12.05: each reason once.
TEST_F(GivenAGrantedReservation, WhenItHasTooManySlotsThenThatIsSaidOnce) {
  grant(alice, 600, 600, 8);
  const auto said = text(has(17));
  EXPECT_NE(said.find("only offers 16 slots"), std::string::npos) << said;
  EXPECT_EQ(said.find("only offers"), said.rfind("only offers")) << said;
}

// B0.4, beyond Q2
TEST_F(GivenAGrantedReservation, WhenTheClusterIsFullButForItThenItMayGrowOverItself) {
  grant(alice, 600, 600, 8);
  take("h3", 0, 3000), take("h4", 0, 3000);
  done(ends(2400));
  EXPECT_EQ(grants(), "h1=4 h2=4");
  EXPECT_EQ(booked("h1", 600, 2400), 4) << "booked once";
  books_agree();
}

// B12.06, B12.13
TEST_F(GivenAGrantedReservation, WhenAStartIsGivenThenItMoves) {
  grant(alice, 600, 600, 8);
  at(100);
  done(begins(1000));
  EXPECT_EQ(in_force(), (Window{{1000}, {1600}})) << "the length stays";
  refused(begins(50), "start time is in the past");
  done(alter(alice, {"-a", "-e"}, [&](auto& r) { r.start = {T + 700}, r.end = {T + 800}; }));
  EXPECT_EQ(in_force(), (Window{{700}, {800}}));
  // B13.28
  refused(alter(alice, {"-a", "-e"}, [&](auto& r) { r.start = {T + 900}, r.end = {T + 800}; }),
          "start time is later than end time");
  done(alter(alice, {"-N"}, [](auto& r) { r.name = "course"; }));
  EXPECT_EQ(in_force(), (Window{{700}, {800}})) << "what is not given is not taken from now";
}

// B12.06
TEST_F(GivenAGrantedReservation, WhenItMovesToNowThenItBegins) {
  grant(alice, 600, 600, 8);
  done(begins(0));
  EXPECT_EQ(letter(1), 'r');
}

// B4.14: its own slots are not in its way, and a gap is taken that is long enough.
TEST_F(GivenAGrantedReservation, WhenItIsToBeginAsSoonAsPossibleThenItMovesForward) {
  grant(alice, 2000, 600, 16);
  const auto blocker = grant(root, 0, 500, 12);
  grant(root, 900, 300, 16);
  const auto asap = [&](std::vector<std::string> options, auto fill) {
    options.push_back("-a");
    return alter(alice, options, [&](auto& r) { r.asap = true, fill(r); });
  };
  const auto as_it_is = [](auto&) {};
  const auto digest = planner.digest();
  refused(asap({"-e"}, [&](auto& r) { r.end = {T + 1799}; }), "no start before ");
  EXPECT_EQ(planner.digest(), digest);
  const auto answer = asap({}, as_it_is);
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_NE(text(answer).find("on all.q@h1=4, all.q@h2=4, "), std::string::npos) << text(answer);
  EXPECT_EQ(in_force(), (Window{{1200}, {1800}})) << "the length stays";
  EXPECT_FALSE(reservation().request.asap) << "what was found is fixed";
  EXPECT_EQ(asap({}, as_it_is).exit_code, 0);
  EXPECT_EQ(in_force(), (Window{{1200}, {1800}})) << "there is nothing earlier";
  EXPECT_EQ(asap({"-d"}, [](auto& r) { r.duration = {400}, r.has_duration = true; }).exit_code, 0);
  EXPECT_EQ(in_force(), (Window{{500}, {900}}));
  command(root, DeleteReservations{{std::to_string(blocker)}, {}, false});
  at(100);
  EXPECT_EQ(asap({}, as_it_is).exit_code, 0);
  EXPECT_EQ(letter(1), 'r');
  books_agree();
  refused(asap({}, as_it_is), "the advance reservation has begun");
}

// B12.06
TEST_F(GivenAGrantedReservation, WhenAWaitingJobWouldNotFitThenItIsListed) {
  grant(alice, 600, 600, 8);
  const auto long_one = submit(alice, inside("500"));
  submit(alice, inside("300"));
  refused(lasts(400), "job 1 no longer fits: ");
  const auto answer = alter(
      alice, {"-d"}, [](auto& r) { r.duration = {400}, r.has_duration = true; }, true);
  done(answer);
  EXPECT_NE(text(answer).find("job 1 gets a user hold: "), std::string::npos);
  EXPECT_TRUE(find(long_one)->held_by_user);
  EXPECT_FALSE(find(2)->held_by_user);
  done(lasts(300)); // one that did not fit before is in nobody's way
}

// B12.01, B12.02
TEST_F(GivenAGrantedReservation, WhenSomebodyElseChangesItThenItIsForOperatorsAndTheOwnerHears) {
  auto request = on_pe(window(T + 600, 600), "fill", 8);
  request.mail_at = "a";
  reserve(alice, request);
  const auto answer = alter(bob, {"-N"}, [](auto& r) { r.name = "mine"; });
  EXPECT_EQ(text(answer), "bob - you do not have the necessary privileges to change the "
                          "advance_reservation \"1\"\n");
  const auto rename = [](auto& r) { r.name = "course"; };
  // B12.42
  const auto told = letters(Command{root, change(1, {"-N"}, rename)});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told.front().occasion, Occasion::reservation_changed);
  EXPECT_EQ(told.front().to, "alice");
  EXPECT_EQ(subject_of(told.front()), "Advance Reservation 1 (course) Changed");
  EXPECT_TRUE(letters(Command{alice, change(1, {"-N"}, [](auto& r) { r.name = "x"; })}).empty());
}

// B12.1
TEST_F(GivenAGrantedReservation, WhenItIsOverOrUnknownThenItDoesNotExist) {
  const auto unknown = "denied: advance_reservation \"1\" does not exist\n";
  EXPECT_EQ(text(lasts(100)), unknown);
  grant(alice, 0, 600, 8);
  due(1);
  run(alice, inside("500"));
  command(alice, DeleteReservations{{"1"}, {}, false});
  ASSERT_EQ(letter(1), 'd');
  EXPECT_EQ(text(lasts(100)), unknown);
}

// B12.11, beyond Q8
TEST_F(GivenAGrantedReservation, WhenAChangeIsPreparedThenItIsRefused) {
  grant(alice, 600, 600, 8);
  ReservationRequest longer;
  longer.end = {T + 1300};
  ASSERT_EQ(
      command(alice, PrepareReservation{"t", {1}, ReservationVerb::change, longer, {60}}).exit_code,
      0);
  refused(lasts(100), "denied: operation pending on advance_reservation \"1\"");
  at(60);
  done(lasts(100)); // its time is over
  EXPECT_TRUE(reservation().proposed.empty());
  books_agree();
}

// B12.012
TEST_F(GivenAGrantedReservation, WhenAnOptionStaysAsItWasGrantedThenItIsNamed) {
  grant(alice, 600, 600, 8);
  const auto digest = planner.digest();
  for (const char* option : {"-ckpt", "-masterq", "-now", "-alloc", "-w", ""})
    refused(alter(alice, {option}, [](auto&) {}),
            "option " + std::string(option) + " of an advance reservation cannot be changed\n");
  EXPECT_EQ(planner.digest(), digest);
  EXPECT_EQ(alter(alice, {}, [](auto&) {}).exit_code, 1);
  EXPECT_EQ(alter(alice, {"-N", "-N"}, [](auto&) {}).exit_code, 1);
}

// B12.010, B12.011, B12.12
TEST_F(GivenAGrantedReservation, WhenSeveralAreGivenThenTheyReplaceAndEmptyOnesClear) {
  auto request = on_pe(window(T + 600, 600), "fill", 8);
  request.mail_at = "bea", request.mail_to = {"carol"}, request.users = {"bob"};
  request.hard = true, request.name = "course";
  reserve(alice, request);
  const auto shape = reservation().shape;
  done(alter(alice, {"-he", "-repair", "-m", "-M", "-A"},
             [](auto& r) { r.repair = Repair::yes, r.account = "teaching"; }));
  const auto& now_asked = reservation().request;
  EXPECT_EQ(now_asked.mail_at, "");
  EXPECT_TRUE(now_asked.mail_to.empty());
  EXPECT_FALSE(now_asked.hard);
  EXPECT_EQ(now_asked.repair, Repair::yes);
  EXPECT_EQ(now_asked.account, "teaching");
  EXPECT_EQ(now_asked.name, "course") << "not named";
  EXPECT_EQ(reservation().shape.window, shape.window);
  EXPECT_EQ(reservation().shape.users, shape.users);
  done(alter(alice, {"-u"}, [](auto&) {}));
  EXPECT_TRUE(reservation().shape.users.empty());
  EXPECT_EQ(grants(), "h1=4 h2=4");
}

// B12.12
TEST_F(GivenAGrantedReservation, WhenOneOfSeveralIsImpossibleThenNoneIsDone) {
  grant(alice, 600, 600, 8);
  refused(alter(alice, {"-N", "-pe"},
                [](auto& r) {
                  r.name = "x", r.pe = "fill", r.slots = {{17, 17}};
                }),
          "no suitable queues");
  EXPECT_EQ(reservation().request.name, "");
  refused(alter(alice, {"-N", "-u"}, [](auto& r) { r.name = "x", r.users = {"@nolist"}; }),
          "nolist");
  EXPECT_EQ(reservation().request.name, "");
}

// B12.08
TEST_F(GivenAGrantedReservation, WhenQueuesOrResourcesChangeThenItGoesWhereTheyAre) {
  grant(alice, 600, 600, 8);
  done(alter(alice, {"-q"}, [](auto& r) { r.queues = {"all.q@h2", "all.q@h4"}; }));
  EXPECT_EQ(grants(), "h2=4 h4=4");
  done(alter(alice, {"-l", "-q"}, [](auto& r) { r.resources = {{"h", "h[13]"}}; }));
  EXPECT_EQ(reservation().shape.slots_on({"all.q", "h2"}), 0);
  done(alter(alice, {"-l"}, [](auto&) {}));
  EXPECT_TRUE(reservation().request.resources.empty());
}
