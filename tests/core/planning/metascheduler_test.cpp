// What metaschedulers ask and reserve (spec/metascheduler.md section 4).
#include "metascheduler_fixture.hpp"

using namespace almanac;

// M4.19 to M4.21, M3.37, M11.1, and M10.1: an end is the last start
TEST_F(GivenAMetascheduler, WhenItAsksForStartsThenTheyAreTheMaximalClosedRanges) {
  EXPECT_EQ(starts(query(2)), "[0,1000]");
  EXPECT_EQ(starts(query(3)), "[0,100] [300,1000]");
  EXPECT_EQ(starts(query(5)), "") << "none is a good answer";
}

// M4.22 M3.12 M10.3
TEST_F(GivenAMetascheduler, WhenItIsToHaveEndedByATimeThenStartsAreEarlyEnough) {
  auto asked = query(4);
  asked.search.end_by = now + Duration{450};
  EXPECT_EQ(starts(asked), "[0,100] [300,350]");
  asked.search.earliest = now + Duration{50};
  EXPECT_EQ(starts(asked), "[50,100] [300,350]");
}

// M3.25, M3.26, M3.27
TEST_F(GivenAMetascheduler, WhenRangesAreLimitedThenOnlyThoseAreTold) {
  auto asked = query(3);
  asked.max_ranges = 1;
  EXPECT_EQ(starts(asked), "[0,100]");
  asked = query(3), asked.min_length = {101};
  EXPECT_EQ(starts(asked), "[300,1000]");
  asked.min_length = {100};
  EXPECT_EQ(starts(asked), "[0,100] [300,1000]");
  asked = query(3), asked.grain = {70}; // now is 50 seconds behind a multiple
  ASSERT_EQ(now.seconds % 70, 50);
  EXPECT_EQ(starts(asked), "[20,90] [300,1000]");
}

// M8.5 M8.13
TEST_F(GivenAMetascheduler, WhenTheTimeAskedForIsPastOrTooFarThenItIsRefused) {
  auto asked = query(1);
  asked.search.latest = now - Duration{1};
  EXPECT_EQ(starts(asked), "-13");
  asked.search.latest = now + Duration{31 * 86'400};
  EXPECT_EQ(starts(asked), "-32");
  scheduler({{"params", "GMETA_HORIZON=3600"}});
  asked.search = {};
  EXPECT_EQ(starts(asked), "[0,3600]") << "as far as the site looks";
  EXPECT_EQ(status(root, set_at(1, 3601)), -32);
  EXPECT_EQ(status(root, set_at(1, -1)), -13);
}

// M4.13, M8.13: what no reservation may be is no start either
TEST_F(GivenAMetascheduler, WhenItWouldEndInMoreThanAHundredYearsThenThereIsNoStart) {
  const auto most = hundred_years.seconds;
  auto asked = query(1);
  asked.request = lasting(1, most);
  EXPECT_EQ(starts(asked), "[0,0]");
  asked.request = lasting(1, most - 10);
  EXPECT_EQ(starts(asked), "[0,10]");
  asked.search.earliest = now + Duration{11};
  EXPECT_EQ(starts(asked), "-32");
  auto wanted = set_at(1, 10);
  wanted.prepare.request.duration = {most};
  EXPECT_EQ(status(root, wanted), -32);
  wanted.prepare.request.duration = {most - 10};
  EXPECT_EQ(status(root, wanted), 0);
}

// M3.12: days and hours are those of the cell's clock.
TEST_F(GivenAMetascheduler, WhenDaysAndHoursAreGivenThenStartsLieInThem) {
  const Instant monday{18 * 86'400};
  const StartRange week{monday, monday + Duration{7 * 86'400 - 1}};
  StartSearch search;
  search.days = 0b0000010, search.from_hour = 8, search.to_hour = 18;
  const TimeZone utc;
  const std::vector<StartRange> one{
      {monday + Duration{8 * 3600}, monday + Duration{18 * 3600 - 1}}};
  EXPECT_EQ(rules::in_hours(search, utc, week), one);
  const TimeZone east{{{{0}, 3600}}};
  const std::vector<StartRange> earlier{
      {monday + Duration{7 * 3600}, monday + Duration{17 * 3600 - 1}}};
  EXPECT_EQ(rules::in_hours(search, east, week), earlier);
  search.from_hour = 22, search.to_hour = 6;
  const std::vector<StartRange> night{
      {monday + Duration{22 * 3600}, monday + Duration{30 * 3600 - 1}}};
  EXPECT_EQ(rules::in_hours(search, utc, week), night);
  search.days = 0, search.from_hour = 0, search.to_hour = 24;
  EXPECT_EQ(rules::in_hours(search, utc, week), std::vector<StartRange>{week});
  search.days = 127;
  EXPECT_EQ(rules::in_hours(search, utc, week), std::vector<StartRange>{week}) << "one range";
}

// M4.12 M3.38
TEST_F(GivenAMetascheduler, WhenItWantsTheFirstStartThenItIsReservedThere) {
  reserve(root, on_pe(window(now.seconds, 150), "fill", 2));
  const auto answer = command(root, set(3));
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  const auto* made = find(answer, AnswerCode::meta_reservation_granted);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->find("start")->number, now.seconds + 300);
  EXPECT_EQ(reservation(answer.number).shape.window.start, now + Duration{300});
}

// M3.28: what is held ends with its start, so the start is not before the end of the hold.
TEST_F(GivenAMetascheduler, WhenTheFirstStartIsHeldThenTheHoldHasItsTime) {
  auto wanted = set(1);
  wanted.prepare.hold_for = {120};
  const auto answer = command(root, wanted);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  const auto* held = find(answer, AnswerCode::meta_reservation_held);
  ASSERT_NE(held, nullptr);
  EXPECT_EQ(held->find("start")->number, now.seconds + 120);
  EXPECT_EQ(held->find("until")->number, now.seconds + 120);
}

// M4.13 M4.14 M8.11 M8.12
TEST_F(GivenAMetascheduler, WhenThereIsNoPlaceThenTheStatusSaysWhetherThereEverCanBe) {
  EXPECT_EQ(status(root, set_at(3, 101)), -30);
  EXPECT_EQ(status(root, set_at(5, 101)), -31);
  auto earliest = set(5);
  EXPECT_EQ(status(root, earliest), -31);
  EXPECT_EQ(command(root, set_at(3, 300)).number, 2) << "refusals used no number";
}

// M8.11, M8.12: what is held is in the way for a while, and so is a calendar.
TEST_F(GivenAMetascheduler, WhenThePlaceIsHeldOrClosedThenTheStatusIsNotThatItCanNeverRun) {
  auto held = set_at(4, 5'000);
  held.prepare.hold_for = {60}, held.prepare.transaction = "t";
  ASSERT_EQ(status(alice, held), 0);
  EXPECT_EQ(status(root, set_at(4, 5'000)), -30);
  EXPECT_EQ(status(root, set_at(4, 5'050)), -30);
  now = {18 * 86'400 + 7 * 3'600}; // a Monday, at seven
  change({ObjectKind::calendar, "early", {{"week", "7-9"}}}, ChangeVerb::add);
  queue("all.q", {{"calendar", "early"}});
  EXPECT_EQ(status(root, set_at(1, 60)), -30);
  EXPECT_EQ(status(root, set_at(5, 7'200)), -31);
  EXPECT_EQ(status(root, set_at(1, 7'200)), 0);
}

// M2.8 M8.8 M8.9
TEST_F(GivenAMetascheduler, WhenItActsForAnotherUserThenItHasToBeAManager) {
  const auto wanted = set_at(1, 0);
  EXPECT_EQ(status_for(of(alice), bob, wanted), -21);
  EXPECT_EQ(status_for(of(alice), alice, wanted), 0) << "herself";
  const auto answer = command_for(of(alice), root, wanted);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(reservation(answer.number).owner.user, "alice");
  EXPECT_EQ(status_for(of(bob), root, wanted), -22) << "bob may not reserve, whoever asks for him";
  auto asked = query(1);
  asked.whom = of(alice);
  EXPECT_EQ(starts(asked, bob), "-21");
  EXPECT_EQ(starts(query(1), bob), "-22");
}

// M2.6 M2.8 M8.8
TEST_F(GivenAMetascheduler, WhenThePortActsForASubjectThenTheListOfThatSubjectDecides) {
  const Caller port{"gate", "gate", 1900, 1900, "master"};
  const OnBehalf grid_for_alice{alice, "grid"}, grid_for_bob{bob, "grid"};
  const auto wanted = set_at(1, 0);
  EXPECT_EQ(status_for(grid_for_alice, port, wanted), -21) << "GMETA_PORT names nobody";
  scheduler({{"params", "GMETA_PORT=gate"}});
  EXPECT_EQ(status_for(grid_for_alice, port, wanted), -21) << "the subject has no list";
  const ConfigurationObject list{ObjectKind::userset, "gmeta_grid", {}};
  ASSERT_EQ(command(root, Configure{{ChangeVerb::add_entries, list, {"alice"}}}).exit_code, 0);
  const auto answer = command_for(grid_for_alice, port, wanted);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(reservation(answer.number).owner.user, "alice");
  EXPECT_EQ(status_for(grid_for_bob, port, wanted), -21) << "not in the list";
  EXPECT_EQ(status_for(grid_for_alice, root, wanted), -21) << "managers are no port";
  EXPECT_EQ(status_for({{}, "grid"}, port, wanted), -21) << "for nobody";
  EXPECT_EQ(status_for({alice, "other"}, port, wanted), -21);
  auto unknown = alice;
  unknown.uid = nobody;
  EXPECT_EQ(status_for({unknown, "grid"}, port, wanted), -21) << "this machine knows no such user";
  EXPECT_EQ(status_for({alice, ""}, port, wanted), -21) << "without a subject it is like anybody";
}

// M2.6 M8.8, rulings D104: whoever has a submit host of his own is the port's user there, too.
TEST_F(GivenAMetascheduler, WhenThePortIsNotOnAnAdminHostThenItActsForNobody) {
  Caller port{"gate", "gate", 1900, 1900, "h1"};
  const OnBehalf grid_for_alice{alice, "grid"};
  scheduler({{"params", "GMETA_PORT=gate"}});
  const auto add = [&](ObjectKind kind, const char* name, const char* entry) {
    const Configure change{{ChangeVerb::add_entries, {kind, name, {}}, {entry}}};
    ASSERT_EQ(command(root, change).exit_code, 0) << entry;
  };
  add(ObjectKind::userset, "gmeta_grid", "alice");
  ASSERT_TRUE(planner.state().configuration().is_submit_host("h1"));
  auto asked = query(1);
  asked.whom = grid_for_alice;
  const auto refused = command_for(grid_for_alice, port, set_at(1, 0));
  EXPECT_TRUE(says(refused, "denied: host \"h1\" is no admin host")) << text(refused);
  EXPECT_EQ(status_for(grid_for_alice, port, set_at(1, 0)), -21);
  EXPECT_EQ(starts(asked, port), "-21");
  EXPECT_NE(ask(AskSite{port, {{}, "grid"}}).exit_code, 0) << "not even what time it is";
  EXPECT_EQ(status(port, set_at(1, 0)), -22) << "for itself it is like anybody";
  add(ObjectKind::admin_hosts, "", "h1");
  EXPECT_EQ(status_for(grid_for_alice, port, set_at(1, 0)), 0);
  EXPECT_EQ(starts(asked, port), "[0,1000]");
}

TEST_F(GivenAMetascheduler, WhenASubjectAsksThenOthersReservationsAreNotItsOwn) {
  const Caller port{"gate", "gate", 1900, 1900, "master"};
  scheduler({{"params", "GMETA_PORT=gate"}});
  const ConfigurationObject list{ObjectKind::userset, "gmeta_grid", {}};
  ASSERT_EQ(command(root, Configure{{ChangeVerb::add_entries, list, {"alice"}}}).exit_code, 0);
  auto wanted = set_at(1, 400);
  wanted.prepare.hold_for = {60}, wanted.prepare.transaction = "t";
  const auto held = command(root, wanted);
  ASSERT_EQ(held.exit_code, 0) << text(held);
  const SettleReservation commit{"t", {held.number}, true};
  EXPECT_NE(status_for({alice, "grid"}, port, commit), 0) << "root's";
  wanted.prepare.transaction = "u";
  const auto own = command_for({alice, "grid"}, port, wanted);
  ASSERT_EQ(own.exit_code, 0) << text(own);
  EXPECT_EQ(status_for({alice, "grid"}, port, SettleReservation{"u", {own.number}, true}), 0);
  EXPECT_EQ(ask(AskSite{port, {{}, "grid"}}).exit_code, 0) << "HELLO";
  EXPECT_NE(ask(AskSite{port, {{}, "grid"}, {own.number}}).exit_code, 0) << "of whom?";
  EXPECT_NE(ask(AskSite{port, {bob, "grid"}}).exit_code, 0);
}

TEST_F(GivenAMetascheduler, WhenACommandIsForSomebodyElseThenItIsAboutReservations) {
  EXPECT_NE(command_for({alice}, root, Submit{job("own"), "hash"}).exit_code, 0);
  EXPECT_NE(handle(Command{root, set_at(1, 0), {}, {{alice}, {bob}}}).answer->exit_code, 0);
  EXPECT_NE(command_for({alice, std::string(65, 'x')}, root, set_at(1, 0)).exit_code, 0);
}

// M4.15 M8.10 M10.6
TEST_F(GivenAMetascheduler, WhenAUserHasWhatTheSiteAllowsThenThereIsNoMore) {
  scheduler({{"params", "GMETA_USER_MAX=2/1"}});
  EXPECT_EQ(status(alice, set_at(1, 0)), 0);
  auto large = set(1);
  large.prepare.request.duration = {3600};
  EXPECT_EQ(status(alice, large), -23) << "more than an hour of a node together";
  EXPECT_EQ(status(alice, set_at(1, 0)), 0);
  EXPECT_EQ(status(alice, set_at(1, 0)), -23) << "the third";
  EXPECT_EQ(starts(query(1), alice), "-23");
}

// M8.14
TEST_F(GivenAMetascheduler, WhenRoomOfUnknownOnesIsAskedForThenItIsRefused) {
  auto asked = query(3);
  asked.request.room_of = {{9}};
  EXPECT_EQ(starts(asked), "-33");
  auto wanted = set_at(3, 200);
  wanted.prepare.request.room_of = {{9}};
  EXPECT_EQ(status(root, wanted), -33);
  wanted.prepare.request.room_of = {{1}};
  EXPECT_EQ(status(alice, wanted), -33) << "it is root's";
}

// M4.16: what is asked promises nothing, and what is set does (M1.8, M10.5)
TEST_F(GivenAMetascheduler, WhenSomebodyElseIsFirstThenAnAnswerWasAHintOnly) {
  EXPECT_EQ(starts(query(4)), "[0,100] [300,1000]");
  EXPECT_EQ(status(alice, set_at(4, 300)), 0);
  EXPECT_EQ(starts(query(4)), "[0,100] [400,1000]");
  EXPECT_EQ(status(root, set_at(4, 300)), -30);
  for (int i = 0; i < 4; ++i) {
    auto urgent = job("urgent", "1000");
    urgent.priority = 1024;
    submit(root, urgent);
  }
  pass();
  now = now + Duration{300};
  due(2), pass();
  EXPECT_EQ(letter(2), 'r');
  EXPECT_EQ(reservation(2).shape.slots(), 4) << "no job takes what was granted";
}

// M4.17, M4.1: a reservation needs an end of the job that is enforced
TEST_F(GivenAMetascheduler, WhenAJobHasNoLimitThenItsHostIsNeverFreeForAReservation) {
  scheduler({{"default_duration", "50"}, {"params", "DURATION_OFFSET=0"}});
  start(running(job("endless")));
  start(running(job("ends", "70")));
  EXPECT_EQ(starts(query(3)), "[70,100] [300,1000]");
  EXPECT_EQ(starts(query(4)), "");
  EXPECT_EQ(status(root, set_at(4, 500)), -30);
}

// M1.3, M3.13, M4.12: the first start may lie in the time of a reservation that lends its room
TEST_F(GivenAMetascheduler, WhenTheFirstStartNeedsRoomOfAnotherOneThenItIsFoundThere) {
  auto wanted = set(4);
  wanted.search.earliest = now + Duration{150};
  wanted.prepare.request.room_of = {{1}};
  const auto answer = command(root, wanted);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(reservation(answer.number).shape.window.start, now + Duration{150});
}

// M3.29, M5.10: what is held ends by itself, whether its coordinator is heard of or not
TEST_F(GivenAMetascheduler, WhenNobodyComesBackThenWhatIsHeldEndsWithItsHold) {
  auto wanted = set_at(2, 5'000);
  wanted.prepare.hold_for = {60}, wanted.prepare.transaction = "t";
  const auto number = command(alice, wanted).number;
  auto nameless = set_at(2, 5'000);
  nameless.prepare.hold_for = {60};
  const auto other = command(alice, nameless).number;
  EXPECT_NE(other, number) << "a line without TXID is one of its own";
  EXPECT_EQ(status(alice, set_at(1, 5'000)), -30);
  now = now + Duration{60};
  EXPECT_EQ(ggf::status_of(command(alice, SettleReservation{"t", {number}, true})).code, -42);
  due(other);
  for (const auto gone : {number, other})
    EXPECT_EQ(planner.state().reservation_by_number({gone}), nullptr);
  EXPECT_EQ(status(alice, set_at(4, 5'000)), 0);
}

// M3.42 M3.43 M8.15
TEST_F(GivenAMetascheduler, WhenItAsksHowAReservationStandsThenHeldOnesAreShown) {
  auto wanted = set_at(3, 300);
  wanted.prepare.hold_for = {120}, wanted.prepare.transaction = "t";
  const auto number = command(root, wanted).number;
  const auto stands = [&] { return state_of(number); };
  EXPECT_EQ(stands(), "HELD until");
  command(root, SettleReservation{"t", {number}, true});
  EXPECT_EQ(stands(), "WAITING");
  EXPECT_EQ(ggf::status_of(ask(AskSite{bob, {}, {99}})).code, -40);
  EXPECT_EQ(find(ask(AskSite{bob, {}}), AnswerCode::site_time)->find("now")->number, now.seconds);
}

// M3.42, M7.8
TEST_F(GivenAMetascheduler, WhenAReservationGoesItsWayThenEachStateHasItsWord) {
  scheduler({{"params", "DURATION_OFFSET=0"}});
  const auto number = command(alice, set_at(1, 100)).number;
  EXPECT_EQ(state_of(number), "WAITING");
  now = now + Duration{100};
  due(number);
  EXPECT_EQ(state_of(number), "RUNNING");
  auto inside = job("inside", "100");
  inside.reservation = {number};
  start(running(inside));
  now = now + Duration{100};
  due(number);
  EXPECT_EQ(state_of(number), "ENDING") << "its job is being ended";
  tell(TaskEnded{attempt(1), {}});
  EXPECT_EQ(state_of(number), "EXPIRED");
}

// M8.5: a value is judged by the type that the complex has.
TEST_F(GivenAMetascheduler, WhenAnAmountIsMalformedThenTheValueIsBadAndTheResourceIsNamed) {
  for (const auto& [resource, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"mem_total", "-5"},
                                                                  {"mem_total", "abc"},
                                                                  {"mem_total", "1e5"},
                                                                  {"h_rt", "-1"},
                                                                  {"num_proc", "many"},
                                                                  {"arch", "(lx"}}) {
    auto wanted = set_at(1, 400);
    wanted.prepare.request.resources = {{resource, value}};
    auto refused = command(root, wanted);
    EXPECT_EQ(ggf::status_of(refused), (ggf::Status{-13, "bad value for RES"})) << resource;
    EXPECT_EQ(ggf::refused_resource(refused), resource);
    wanted.prepare.request.start = {};
    EXPECT_EQ(status(root, wanted), -13) << "RESQANDSET";
    auto asked = query(1);
    asked.request.resources = {{resource, value}};
    EXPECT_EQ(starts(asked), "-13") << "RESQUERY";
  }
  auto unknown = set_at(1, 400);
  unknown.prepare.request.resources = {{"unicorn", "1"}};
  EXPECT_EQ(status(root, unknown), -31);
}

// M2.8, M7.5: RELEASE removes the record of one that is over, also for another user.
TEST_F(GivenAMetascheduler, WhenARecordIsRemovedForAnotherUserThenItHasToBeTheirs) {
  const auto number = command(alice, set_at(1, 400)).number;
  const auto target = std::to_string(number);
  ASSERT_EQ(command(alice, RemoveReservations{{target}, {}, ReservationVerb::cancel}).exit_code, 0);
  EXPECT_EQ(state_of(number), "CANCELED");
  const RemoveReservations record{{target}, {}, ReservationVerb::destroy};
  EXPECT_EQ(status_for(of(bob), root, record), -21);
  EXPECT_EQ(status_for(of(alice), bob, record), -21);
  EXPECT_EQ(status_for(of(alice), root, record), 0);
  EXPECT_EQ(state_of(number), "none");
}

// M4.2: what is granted where a host is lost is told to be so
TEST_F(GivenAMetascheduler, WhenOnlyALostHostIsLeftThenItIsGrantedAndTheAnswerSaysSo) {
  lose("h4");
  EXPECT_EQ(starts(query(4)), "[1,100] [300,1000]") << "not now: it may be back by then";
  const auto three = command(root, set_at(3, 400));
  EXPECT_EQ(find(three, AnswerCode::meta_reservation_granted)->find("state"), nullptr);
  remove_reservation(three.number);
  const auto answer = command(root, set_at(4, 400));
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  const auto* state = find(answer, AnswerCode::meta_reservation_granted)->find("state");
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->text, "W");
  EXPECT_EQ(letter(answer.number), 'W');
}
