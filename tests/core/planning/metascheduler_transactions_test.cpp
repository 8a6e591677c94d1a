// Names of transactions of metaschedulers: what is asked for again is done once (spec/metascheduler.md
// section 5).
#include "metascheduler_fixture.hpp"

using namespace almanac;

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

// M5.8
TEST_F(GivenAMetascheduler, WhenAnotherChangeHasTheNameOfACommittedOneThenItIsRefused) {
  const auto number = command(alice, set_at(1, 400)).number;
  PrepareReservation change{"t", {number}, ReservationVerb::change, {}, {0}};
  change.request.start = now + Duration{5'000};
  ASSERT_EQ(command(alice, change).exit_code, 0);
  change.request.start = now + Duration{6'000};
  EXPECT_EQ(ggf::status_of(command(alice, change)).code, -13);
  EXPECT_EQ(reservation(number).shape.window.start, now + Duration{5'000});
  now = now + remembered_for;
  EXPECT_EQ(command(alice, change).exit_code, 0) << "the name is forgotten";
}

// M3.11 M5.8
TEST_F(GivenAMetascheduler, WhenAChangeIsToBeginNowThenItMayBeRepeatedLater) {
  const auto number = command(alice, set_at(1, 400)).number;
  PrepareReservation change{"t", {number}, ReservationVerb::change, {}, {0}};
  change.at_once = true;
  ASSERT_EQ(command(alice, change).exit_code, 0);
  EXPECT_EQ(reservation(number).shape.window.start, now);
  EXPECT_EQ(reservation(number).phase, ReservationPhase::running);
  const auto digest = planner.digest();
  now = now + Duration{5};
  EXPECT_EQ(command(alice, change).exit_code, 0);
  EXPECT_EQ(planner.digest(), digest);
  change.transaction = "held", change.hold_for = {60};
  EXPECT_EQ(ggf::status_of(command(alice, change)).code, -43) << "it has begun";
}

// M8.13
TEST_F(GivenAMetascheduler, WhenAChangeWouldBeginBeyondTheHorizonThenItIsRefused) {
  const auto number = command(alice, set_at(1, 400)).number;
  PrepareReservation change{"t", {number}, ReservationVerb::change, {}, {0}};
  change.request.start = now + Duration{31 * 86'400};
  change.within_horizon = true;
  EXPECT_EQ(ggf::status_of(command(alice, change)).code, -32);
  change.within_horizon = false;
  EXPECT_EQ(command(alice, change).exit_code, 0) << "PluS has none";
}

// M8.15
TEST_F(GivenAMetascheduler, WhenAReservationWasNeverThereThenNothingOfItIsSettled) {
  EXPECT_EQ(ggf::status_of(command(alice, SettleReservation{"", {4'711}, true})).code, -40);
  EXPECT_EQ(ggf::status_of(command(alice, SettleReservation{"t", {4'711}, false})).code, -40);
}

// M3.33
TEST_F(GivenAMetascheduler, WhenSlotsAreReservedForOthersThenTheOwnerIsLetIn) {
  auto wanted = set_at(1, 400);
  wanted.prepare.request.users = {"bob"};
  const auto number = command(alice, wanted).number;
  EXPECT_EQ(reservation(number).request.users, (std::vector<std::string>{"bob", "alice"}));
}

// spec/plus.md section 4, rule 8
TEST_F(GivenAMetascheduler, WhenManyTransactionsEndInASecondThenTheLastOneIsKnownForAnHour) {
  const auto number = command(alice, set_at(1, 400)).number;
  for (int i = 0; i < 9; ++i) {
    PrepareReservation change{std::to_string(i), {number}, ReservationVerb::change, {}, {60}};
    change.request.start = now + Duration{500 + i};
    ASSERT_EQ(command(alice, change).exit_code, 0);
    ASSERT_EQ(command(alice, SettleReservation{"", {number}, i == 8}).exit_code, 0);
  }
  EXPECT_EQ(
      find(command(alice, SettleReservation{"", {number}, true}), AnswerCode::committed_before)
          ->find("reservation")
          ->number,
      number);
  now = now + remembered_for;
  EXPECT_NE(find(command(alice, SettleReservation{"", {number}, true}), AnswerCode::nothing_held),
            nullptr);
  EXPECT_TRUE(planner.state().records().followers_agree());
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
