// Calendars (spec/objects.md section 5), with the reference vectors named there.
#include "core/configuration/opening_hours.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr std::int64_t hour = 3600, day = 24 * hour;
constexpr std::int64_t monday = 4 * day; // 5 January 1970

OpeningHours calendar(const std::string& year, const std::string& week) {
  auto hours = OpeningHours::parse({ObjectKind::calendar, "c", {{"year", year}, {"week", week}}});
  EXPECT_TRUE(hours.ok()) << (hours.ok() ? "" : hours.what());
  return *hours;
}

// The states of a day by the hour: '+' on, '-' off, 's' suspended.
std::string hours_of(const OpeningHours& calendar, std::int64_t from, const TimeZone& zone = {}) {
  std::string text;
  for (std::int64_t at = from; at < from + day; at += hour)
    text += "+-s"[static_cast<int>(calendar.at({at}, zone))];
  return text;
}

} // namespace

TEST(GivenCalendars, WhenOnlyTimesAreNamedThenEveryDayHasThem) {
  const auto c = calendar("NONE", "12-18 tue=13-17=on");
  EXPECT_EQ(hours_of(c, monday), "++++++++++++------++++++");
  EXPECT_EQ(hours_of(c, monday + day), "++++++++++++-++++-++++++");
}

TEST(GivenCalendars, WhenARangeWrapsThenBothEndsOfTheDayAreClosed) {
  const auto c = calendar("NONE", "mon-fri=20-6 sat-sun");
  EXPECT_EQ(hours_of(c, monday), "------++++++++++++++----");
  EXPECT_EQ(hours_of(c, monday + 4 * day), "------++++++++++++++----");
  EXPECT_EQ(hours_of(c, monday + 5 * day), std::string(24, '-'));
  EXPECT_EQ(hours_of(calendar("NONE", "12-11=off"), monday), "-----------+------------");
  EXPECT_EQ(hours_of(calendar("NONE", "sat-mon"), monday), std::string(24, '-'));
  EXPECT_EQ(hours_of(calendar("NONE", "sat-mon"), monday + day), std::string(24, '+'));
}

TEST(GivenCalendars, WhenEntriesOverlapThenOnBeatsSuspendedAndSuspendedBeatsOff) {
  const auto c = calendar("NONE", "0-12 mon=6-18=suspended mon=8-10=on");
  EXPECT_EQ(hours_of(c, monday), "------ss++ssssssss++++++");
}

TEST(GivenCalendars, WhenTheYearNamesADayThenTheWeekSaysNothingOfIt) {
  const auto c = calendar("6.1.1970=6-7 7.jan.1970-8.1.1970=on", "mon-sun");
  EXPECT_EQ(hours_of(c, monday), std::string(24, '-'));
  EXPECT_EQ(hours_of(c, monday + day), "++++++-+++++++++++++++++");
  EXPECT_EQ(hours_of(c, monday + 2 * day), std::string(24, '+'));
  EXPECT_EQ(hours_of(c, monday + 4 * day), std::string(24, '-'));
}

TEST(GivenCalendars, WhenAskedForChangesThenClosuresAreJoinedAndInOrder) {
  const auto c = calendar("NONE", "mon-fri=20-6 sat-sun");
  const Instant evening{monday + 4 * day + 19 * hour};
  EXPECT_EQ(c.next_change(evening, {}), Instant{monday + 4 * day + 20 * hour});
  EXPECT_EQ(c.next_change({monday + 4 * day + 21 * hour}, {}),
            Instant{monday + 7 * day + 6 * hour});
  const auto closures = c.closures({evening, {monday + 8 * day}}, {});
  ASSERT_EQ(closures.size(), 2u);
  EXPECT_EQ(closures[0].window,
            (Window{{monday + 4 * day + 20 * hour}, {monday + 7 * day + 6 * hour}}));
  EXPECT_EQ(closures[1].window, (Window{{monday + 7 * day + 20 * hour}, {monday + 8 * day}}));
  EXPECT_TRUE(calendar("NONE", "NONE").next_change(evening, {}).is_never());
}

TEST(GivenATimeZone, WhenClocksAreSetForwardThenTheDayIsShorter) {
  // One hour ahead; from Monday 2:00 local time on two.
  const TimeZone zone{{{{0}, hour}, {{monday + hour}, 2 * hour}}};
  const auto c = calendar("NONE", "8-12");
  EXPECT_EQ(c.next_change({monday - hour}, zone), Instant{monday + 6 * hour});
  EXPECT_EQ(c.next_change({monday - day - hour}, zone), Instant{monday - day + 7 * hour});
}
