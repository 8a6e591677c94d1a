// What metaschedulers ask and reserve (spec/metascheduler.md section 4).
#include "core/answer/ggf.hpp"
#include "core/planning/price/when.hpp"
#include "core/planning/wanted_starts.hpp"
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

// Four hosts of one slot; X has two of them in [now + 200, now + 300).
class GivenAMetascheduler : public PlannerFixture {
public:
  void SetUp() override {
    hosts(4, 1);
    allow("alice");
    reserve(root, on_pe(window(now.seconds + 200, 100), "fill", 2));
  }
  static ReservationRequest lasting(std::int64_t slots, std::int64_t seconds = 100) {
    ReservationRequest request;
    request.duration = {seconds}, request.has_duration = true;
    return on_pe(request, "fill", slots);
  }
  StartsQuery query(std::int64_t slots, std::int64_t latest = 1000) const {
    StartsQuery query;
    query.request = lasting(slots);
    query.search.latest = now + Duration{latest};
    return query;
  }
  /// "[0,100] [300,1000]", from now on; or the status of a refusal.
  std::string starts(const StartsQuery& query, const Caller& who) {
    const auto answer = ask(AskStarts{who, query});
    if (answer.exit_code != 0) return std::to_string(ggf::status_of(answer).code);
    std::string text;
    for (const auto& said : answer.statements) {
      EXPECT_EQ(said.code, AnswerCode::start_range);
      const auto since = [&](const char* name) {
        return std::to_string(said.find(name)->number - now.seconds);
      };
      text += (text.empty() ? "[" : " [") + since("first") + "," + since("last") + "]";
    }
    return text;
  }
  std::string starts(const StartsQuery& query) { return starts(query, root); }
  ReserveEarliest set(std::int64_t slots) const {
    ReserveEarliest command;
    command.prepare.request = lasting(slots);
    return command;
  }
  ReserveEarliest set_at(std::int64_t slots, std::int64_t after) const {
    auto command = set(slots);
    command.prepare.request.start = now + Duration{after};
    return command;
  }
  std::int64_t status(const Caller& who, const ReserveEarliest& wanted) {
    return ggf::status_of(command(who, wanted)).code;
  }
  Answer command_for(const OnBehalf& whom, const Caller& who, CommandBody body) {
    return *handle(Command{who, std::move(body), {}, {whom}}).answer;
  }
  std::int64_t status_for(const OnBehalf& whom, const Caller& who, CommandBody body) {
    return ggf::status_of(command_for(whom, who, std::move(body))).code;
  }
  static const Statement* find(const Answer& answer, AnswerCode code) {
    for (const auto& said : answer.statements)
      if (said.code == code) return &said;
    return nullptr;
  }
  static OnBehalf of(const Caller& user) { return {user}; }
};

} // namespace

// M4.19 to M4.21, M3.37
TEST_F(GivenAMetascheduler, WhenItAsksForStartsThenTheyAreTheMaximalClosedRanges) {
  EXPECT_EQ(starts(query(2)), "[0,1000]");
  EXPECT_EQ(starts(query(3)), "[0,100] [300,1000]");
  EXPECT_EQ(starts(query(5)), "") << "none is a good answer";
}

// M4.22 M3.12
TEST_F(GivenAMetascheduler, WhenItIsToHaveEndedByATimeThenStartsAreEarlyEnough) {
  auto asked = query(4);
  asked.search.end_by = now + Duration{450};
  EXPECT_EQ(starts(asked), "[0,100] [300,350]");
  asked.search.earliest = now + Duration{50};
  EXPECT_EQ(starts(asked), "[50,100] [300,350]");
}

// M3.25 to M3.27
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

// M3.28 M5.5 M5.8
TEST_F(GivenAMetascheduler, WhenItHoldsAReservationThenARepetitionIsNoSecondOne) {
  auto wanted = set_at(3, 300);
  wanted.prepare.hold_for = {120}, wanted.prepare.transaction = "t77";
  const auto first = command(alice, wanted), second = command(alice, wanted);
  ASSERT_EQ(first.exit_code, 0) << text(first);
  EXPECT_EQ(first, second);
  EXPECT_EQ(find(first, AnswerCode::meta_reservation_held)->find("until")->number,
            now.seconds + 120);
  EXPECT_EQ(command(alice, SettleReservation{"t77", {first.number}, true}).exit_code, 0);
  const auto third = command(alice, wanted);
  EXPECT_EQ(third.number, first.number);
  EXPECT_NE(find(third, AnswerCode::meta_reservation_granted), nullptr);
  wanted = set_at(1, 400), wanted.prepare.hold_for = {9'999}, wanted.prepare.transaction = "long";
  const auto longest = command(alice, wanted);
  EXPECT_EQ(find(longest, AnswerCode::meta_reservation_held)->find("until")->number,
            now.seconds + 300)
      << "PLUS_HOLD_TIMEOUT";
  command(alice, SettleReservation{"long", {longest.number}, false});
  EXPECT_EQ(status(alice, wanted), -42) << "it was aborted";
}

// M5.8
TEST_F(GivenAMetascheduler, WhenATransactionWasOfAChangeThenItsNameIsFreeForANewOne) {
  const auto first = command(alice, set_at(1, 400));
  ASSERT_EQ(first.exit_code, 0) << text(first);
  PrepareReservation change;
  change.number = {first.number}, change.transaction = "t", change.hold_for = {60};
  change.verb = ReservationVerb::cancel;
  ASSERT_EQ(command(alice, change).exit_code, 0);
  ASSERT_EQ(command(alice, SettleReservation{"t", {first.number}, false}).exit_code, 0);
  auto wanted = set_at(1, 400);
  wanted.prepare.hold_for = {60}, wanted.prepare.transaction = "t";
  const auto held = command(alice, wanted);
  ASSERT_EQ(held.exit_code, 0) << text(held);
  EXPECT_NE(held.number, first.number);
  const auto of_root = command(root, wanted);
  EXPECT_NE(of_root.number, held.number) << "names are of each user";
}

// M5.8 M8.5
TEST_F(GivenAMetascheduler,
       WhenAChangeHasTheNameThatMadeItsReservationThenThatNameKeepsItsMeaning) {
  auto wanted = set_at(1, 400);
  wanted.prepare.hold_for = {60}, wanted.prepare.transaction = "t";
  const auto made = command(alice, wanted);
  ASSERT_EQ(made.exit_code, 0) << text(made);
  const auto moved = [&](const Caller& who, const char* name, std::int64_t after) {
    PrepareReservation change{name, {made.number}, ReservationVerb::change, {}, {60}};
    change.request.start = Instant{1'000'000} + Duration{after};
    return ggf::status_of(command(who, change)).code;
  };
  const SettleReservation commit{"t", {made.number}, true};
  EXPECT_EQ(moved(alice, "t", 500), -13) << "while it is held";
  ASSERT_EQ(command(alice, commit).exit_code, 0);
  EXPECT_EQ(moved(alice, "t", 500), -13) << "and once it is committed";
  EXPECT_EQ(moved(root, "t", 500), -13) << "whoever may change it";
  EXPECT_EQ(moved(bob, "t", 500), -21);
  EXPECT_EQ(command(alice, commit).exit_code, 0);
  EXPECT_EQ(command(alice, wanted).number, made.number) << "a late repetition of the first line";
  EXPECT_EQ(moved(alice, "u", 500), 0);
}

// M5.8
TEST_F(GivenAMetascheduler, WhenACommittedChangeIsRepeatedThenNothingIsChangedAgain) {
  const auto number = command(alice, set_at(1, 400)).number;
  const auto moved = [&](const char* name, std::int64_t after, std::int64_t hold_for) {
    PrepareReservation change{name, {number}, ReservationVerb::change, {}, {hold_for}};
    change.request.start = Instant{1'000'000} + Duration{after};
    return command(alice, change).exit_code;
  };
  const auto starts_after = [&] {
    return reservation(number).shape.window.start.seconds - 1'000'000;
  };
  ASSERT_EQ(moved("t", 500, 0), 0);
  EXPECT_EQ(starts_after(), 500);
  ASSERT_EQ(moved("u", 600, 60), 0);
  ASSERT_EQ(command(alice, SettleReservation{"u", {number}, true}).exit_code, 0);
  const auto digest = planner.digest();
  EXPECT_EQ(moved("t", 500, 0), 0) << "its first answer was lost";
  EXPECT_EQ(moved("u", 600, 60), 0);
  EXPECT_EQ(planner.digest(), digest);
  EXPECT_EQ(starts_after(), 600);
  ASSERT_EQ(moved("v", 700, 60), 0);
  EXPECT_EQ(moved("t", 500, 0), 0) << "also while another one is held";
  ASSERT_EQ(command(alice, SettleReservation{"v", {number}, false}).exit_code, 0);
  ASSERT_EQ(moved("v", 700, 0), 0) << "what was aborted may be tried anew";
  EXPECT_EQ(starts_after(), 700);
}

// M5.7 M5.8
TEST_F(GivenAMetascheduler, WhenATransactionIsOverThenItIsToldSoUntilItIsForgotten) {
  auto wanted = set_at(1, 7'000);
  wanted.prepare.hold_for = {60}, wanted.prepare.transaction = "t";
  const auto held = command(alice, wanted);
  ASSERT_EQ(held.exit_code, 0) << text(held);
  ASSERT_EQ(command(alice, SettleReservation{"t", {held.number}, false}).exit_code, 0);
  EXPECT_EQ(status(alice, wanted), -42);
  now = now + remembered_for;
  const auto second = command(alice, wanted);
  EXPECT_EQ(second.exit_code, 0) << text(second);
  EXPECT_NE(second.number, held.number);
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

// M2.6 M8.8, rulings D101: whoever has a submit host of his own is the port's user there, too.
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

// M4.15 M8.10
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

// M3.42 M3.43 M8.15
TEST_F(GivenAMetascheduler, WhenItAsksHowAReservationStandsThenHeldOnesAreShown) {
  auto wanted = set_at(3, 300);
  wanted.prepare.hold_for = {120}, wanted.prepare.transaction = "t";
  const auto number = command(root, wanted).number;
  const auto stands = [&] {
    const auto answer = ask(AskSite{bob, {}, {number}});
    const auto* said = find(answer, AnswerCode::meta_reservation_state);
    return said ? said->find("state")->text + (said->find("until") ? " until" : "") : "none";
  };
  EXPECT_EQ(stands(), "HELD until");
  command(root, SettleReservation{"t", {number}, true});
  EXPECT_EQ(stands(), "WAITING");
  EXPECT_EQ(ggf::status_of(ask(AskSite{bob, {}, {99}})).code, -40);
  EXPECT_EQ(find(ask(AskSite{bob, {}}), AnswerCode::site_time)->find("now")->number, now.seconds);
}

// ---- QUERY -------------------------------------------------------------------------------------

namespace {

class GivenAJobToCome : public PlannerFixture {
public:
  void SetUp() override {
    hosts(1, 2);
    scheduler({{"max_reservation", "5"}, {"params", "DURATION_OFFSET=0"}});
  }
  std::int64_t running_for(const std::string& limit) {
    const auto number = submit(root, job("other", limit));
    pass(), start(number);
    return number;
  }
  Answer when(std::int64_t slots, const Caller& who) const {
    AskWhen asked{who, {}};
    auto& request = asked.query.request;
    request = job("query", "100");
    request.binary = true, request.command = "true", request.directory = "/";
    if (slots > 1) request.pe = "fill", request.slots = {{slots, slots}};
    StartForecast forecast(planner.state().records().copy(), asked, now);
    while (forecast.look()) {
    }
    return forecast.answer();
  }
  /// Seconds from now; a negative number: the status of a refusal.
  std::int64_t start_of(std::int64_t slots) const {
    const auto answer = when(slots, alice);
    if (answer.exit_code != 0) return ggf::status_of(answer).code;
    EXPECT_EQ(answer.statements.front().code, AnswerCode::would_start_at);
    return answer.statements.front().find("at")->number - now.seconds;
  }
};

} // namespace

// M4.3 M3.36
TEST_F(GivenAJobToCome, WhenItIsAskedWhenItWouldStartThenThatIsTold) {
  EXPECT_EQ(start_of(2), 0);
  running_for("300");
  EXPECT_EQ(start_of(1), 0);
  EXPECT_EQ(start_of(2), 300);
  submit(root, job("before", "500"));
  pass();
  EXPECT_EQ(start_of(1), 300) << "the other job has the slot that was free";
  EXPECT_EQ(planner.state().jobs().size(), 2u) << "nothing was submitted";
}

// M8.12
TEST_F(GivenAJobToCome, WhenItCanNeverRunThenThatIsTold) { EXPECT_EQ(start_of(3), -31); }

// M4.18
TEST_F(GivenAJobToCome, WhenOthersHaveNoLimitThenTheyAreTakenToEndAfterTheDefault) {
  scheduler({{"default_duration", "1000"}});
  running_for("");
  EXPECT_EQ(start_of(2), 1000);
}

// M4.5
TEST_F(GivenAJobToCome, WhenNothingIsKnownToEndThenABoundIsTold) {
  scheduler({{"default_duration", "INFINITY"}});
  running_for("");
  const auto answer = when(2, alice);
  ASSERT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.statements.front().code, AnswerCode::would_start_later_than);
}
