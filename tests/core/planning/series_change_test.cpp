// Changes of standing reservations (spec/beyond.md B5.405).
#include "series_fixture.hpp"

using namespace almanac;

namespace {

// S1: reservations 2, 3 and 4 on 11-26, 11-30 and 12-03, each 09:00 to 11:00 in Berlin.
class GivenASeriesToChange : public SeriesFixture {
public:
  GivenASeriesToChange() { EXPECT_EQ(command(root, s1()).exit_code, 0); }

  static AlterReservation change(std::int64_t number, std::vector<std::string> options) {
    AlterReservation command;
    command.number = {number}, command.options = std::move(options);
    return command;
  }
  static AlterReservation repeating(std::int64_t number, const std::string& rule) {
    auto command = change(number, {"-repeat"});
    command.recurrence.rule = rule;
    return command;
  }
  void expect_unchanged(const AlterReservation& command, const std::string& part) {
    const auto before = planner.digest();
    const auto answer = this->command(root, command);
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_NE(text(answer).find(part), std::string::npos) << text(answer);
    EXPECT_EQ(planner.digest(), before);
  }
};

} // namespace

// S10
TEST_F(GivenASeriesToChange, WhenItsRuleChangesThenOccurrencesWhoseStartStaysKeepTheirId) {
  go_on(date(2026, 11, 26, 9));
  EXPECT_EQ(letter(2), 'r');
  const auto answer = command(root, repeating(1, "FREQ=WEEKLY;BYDAY=TH;COUNT=3"));
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(text(answer), "root modified advance reservation 1\n"
                          "2 occurrences stay, 1 are new: advance reservations 5, 1 are deleted\n");
  EXPECT_EQ(letter(2), 'r');
  EXPECT_FALSE(occurrence(3));
  EXPECT_EQ(occurrence(4)->shape.window.start.seconds, date(2026, 12, 3, 8));
  EXPECT_EQ(occurrence(5)->shape.window.start.seconds, date(2026, 12, 10, 8));
  EXPECT_EQ(standing()->recurrence.rule, "FREQ=WEEKLY;BYDAY=TH;COUNT=3");
}

// B5.4055
TEST_F(GivenASeriesToChange, WhenItsEndChangesThenAllKeepTheirPlaces) {
  const auto place = occurrence(3)->shape.grants.front().instance;
  auto longer = change(1, {"-e"});
  longer.recurrence.ends_at = 12 * 3600;
  EXPECT_EQ(command(root, longer).exit_code, 0);
  for (const auto& window : windows()) EXPECT_EQ(window.length(), Duration{3 * 3600});
  EXPECT_EQ(occurrence(3)->shape.grants.front().instance, place);
  EXPECT_EQ(windows().size(), 3u);
}

// B5.4054
TEST_F(GivenASeriesToChange, WhenOneDoesNotFitThenNothingChanges) {
  reserve(root, on_pe(window(date(2026, 11, 30, 10), 3600), "fill", 16));
  auto longer = change(1, {"-e"});
  longer.recurrence.ends_at = 12 * 3600;
  expect_unchanged(longer, "advance reservation 1 was not changed");
  expect_unchanged(repeating(1, "FREQ=DAILY;BYHOUR=11;COUNT=20"), "conflict: 2026-11-30T11:00");
}

// B5.4051
TEST_F(GivenASeriesToChange, WhenOneWasChangedAloneThenItStaysWhereItIs) {
  auto later = change(3, {"-a"});
  later.request.start = {date(2026, 11, 30, 13)};
  EXPECT_EQ(command(root, later).exit_code, 0);
  EXPECT_TRUE(occurrence(3)->altered);
  auto longer = change(1, {"-e"});
  longer.recurrence.ends_at = 12 * 3600;
  EXPECT_EQ(command(root, longer).exit_code, 0);
  EXPECT_EQ(occurrence(3)->shape.window,
            (Window{{date(2026, 11, 30, 13)}, {date(2026, 11, 30, 15)}}));
  EXPECT_EQ(occurrence(4)->shape.window.length(), Duration{3 * 3600});
}

// B5.4053
TEST_F(GivenASeriesToChange, WhenTheRestIsChangedThenItIsASeriesOfItsOwn) {
  auto rest = change(3, {"-N"});
  rest.rest = true, rest.request.name = "rest";
  const auto answer = command(root, rest);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(answer.number, 5);
  ASSERT_TRUE(standing(5));
  EXPECT_EQ(standing(5)->request.name, "rest");
  EXPECT_EQ(occurrence(2)->series.value, 1);
  EXPECT_EQ(occurrence(3)->series.value, 5);
  EXPECT_EQ(occurrence(3)->request.name, "rest");
  EXPECT_EQ(occurrence(2)->request.name, "");
  go_on(date(2026, 11, 27));
  EXPECT_FALSE(standing(1));
  EXPECT_TRUE(standing(5));
  EXPECT_EQ(windows().size(), 2u);
}

// B5.4056
TEST_F(GivenASeriesToChange, WhenOneRunsThenOnlyMailAndNameOfItChange) {
  go_on(date(2026, 11, 26, 9));
  auto both = change(1, {"-N", "-pe"});
  both.request.name = "next", both.request.pe = "fill", both.request.slots = {{8, 8}};
  EXPECT_EQ(command(root, both).exit_code, 0);
  EXPECT_EQ(occurrence(2)->request.name, "next");
  EXPECT_EQ(occurrence(2)->shape.slots(), 4);
  EXPECT_EQ(occurrence(3)->shape.slots(), 8);
}

// B5.4057
TEST_F(GivenASeriesToChange, WhenAJobIsBoundToOneThatVanishesThenItIsRefusedUnlessForced) {
  auto request = job("J", "600");
  request.reservation = {3};
  const auto number = submit(root, request);
  auto thursdays = repeating(1, "FREQ=WEEKLY;BYDAY=TH;COUNT=2");
  expect_unchanged(thursdays, "job 1 is bound to occurrence 2026-11-30T09:00");
  thursdays.force = true;
  EXPECT_EQ(command(root, thursdays).exit_code, 0);
  EXPECT_FALSE(find(number));
  EXPECT_EQ(windows().size(), 2u);
}

// B13.17
TEST_F(GivenASeriesToChange, WhenADayToSkipHasNoOccurrenceThenItIsSaid) {
  auto skipping = change(1, {"-skip"});
  skipping.recurrence.skipped = {date(2026, 11, 27) / 86400, date(2026, 11, 30) / 86400};
  const auto answer = command(root, skipping);
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_NE(text(answer).find("2026-11-27"), std::string::npos) << text(answer);
  EXPECT_EQ(text(answer).find("2026-11-30"), std::string::npos) << text(answer);
  EXPECT_FALSE(occurrence(3));
}

// B5.4082
TEST_F(GivenASeriesToChange, WhenItsZoneChangesThenItsWallClockStays) {
  auto elsewhere = change(1, {"-zone"});
  elsewhere.recurrence.zone = "UTC";
  EXPECT_EQ(command(root, elsewhere).exit_code, 0);
  EXPECT_EQ(starts(), (Times{date(2026, 11, 26, 9), date(2026, 11, 30, 9), date(2026, 12, 3, 9)}));
}

TEST_F(GivenASeriesToChange, WhenItMakesNoSenseThenNothingChanges) {
  reserve(root, on_pe(window(date(2026, 2, 1), 60), "fill", 1)); // 5
  expect_unchanged(repeating(5, "FREQ=DAILY"), "not a series");
  auto rest = change(5, {"-N"});
  rest.rest = true, rest.request.name = "x";
  expect_unchanged(rest, "not part of a series");
  auto end = change(1, {"-e"});
  end.request.end = {date(2026, 11, 26, 12)};
  expect_unchanged(end, "time of day");
  const auto denied = command(alice, repeating(1, "FREQ=DAILY"));
  EXPECT_EQ(denied.exit_code, 1);
}
