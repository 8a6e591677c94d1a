#include "core/reservation/repetition.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace almanac;
using namespace std::chrono_literals;
using std::chrono::local_days;
using std::chrono::local_seconds;
using std::chrono::seconds;

namespace {

constexpr std::int64_t at(int year, unsigned month, unsigned day, int hour = 0, int minute = 0) {
  const std::chrono::sys_days date{std::chrono::year(year) / static_cast<int>(month) /
                                   static_cast<int>(day)};
  return date.time_since_epoch().count() * 86400 + hour * 3600 + minute * 60;
}
local_seconds local(std::int64_t count) { return local_seconds(seconds(count)); }

// Europe/Berlin in 2026, as date(1) shows it.
const TimeZone berlin{
    {{{at(2025, 10, 26, 1)}, 3600}, {{at(2026, 3, 29, 1)}, 7200}, {{at(2026, 10, 25, 1)}, 3600}}};

Repetition repetition(const std::string& rule, std::int64_t first, std::optional<Duration> length,
                      seconds ends_at = 0s) {
  auto parsed = parse_repeat_rule(rule);
  EXPECT_TRUE(parsed) << parsed.what();
  return {*parsed, local(first), length, ends_at, {}, {}};
}

Occurrences in_berlin(const Repetition& repetition) {
  return occurrences_of(repetition, berlin, {at(2027, 1, 1)}, 400);
}

std::vector<std::int64_t> begins(const Occurrences& all) {
  std::vector<std::int64_t> list;
  for (const auto& one : all.list) list.push_back(one.window.start.seconds);
  return list;
}
std::vector<std::int64_t> lengths(const Occurrences& all) {
  std::vector<std::int64_t> list;
  for (const auto& one : all.list) list.push_back(one.window.length().seconds / 3600);
  return list;
}
using Times = std::vector<std::int64_t>;

} // namespace

// S12
TEST(GivenRulesAndWhatAnotherImplementationMakesOfThem, WhenTheyAreExpandedThenTheMomentsAreEqual) {
  std::ifstream file(ALMANAC_REPEAT_RULES);
  int rules = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    ++rules;
    const auto bar = line.find(" | "), next = line.find(" | ", bar + 3);
    const auto rule = parse_repeat_rule(line.substr(0, bar));
    ASSERT_TRUE(rule) << line << ": " << rule.what();
    const auto first = local(std::stoll(line.substr(bar + 3)));
    std::istringstream words(line.substr(next + 2));
    Times wanted, found;
    for (std::int64_t moment; words >> moment;) wanted.push_back(moment);
    for (const auto start : starts_of(*rule, first, first + 24h * 366 * 3, 12))
      found.push_back(start.time_since_epoch().count());
    EXPECT_EQ(found, wanted) << line;
  }
  EXPECT_EQ(rules, 500);
}

// S1, B5.207, B5.302
TEST(GivenAFirstDayThatDoesNotFit, WhenItIsExpandedThenTheFirstFittingOneIsTheFirst) {
  const auto all = in_berlin(
      repetition("FREQ=WEEKLY;BYDAY=MO,TH;COUNT=3", at(2026, 11, 24, 9), std::nullopt, 11h));
  EXPECT_EQ(begins(all), (Times{at(2026, 11, 26, 8), at(2026, 11, 30, 8), at(2026, 12, 3, 8)}));
  EXPECT_EQ(lengths(all), (Times{2, 2, 2}));
}

// S2, B5.301
TEST(GivenAStartThatClocksLeaveOut, WhenItIsExpandedThenItIsMovedByAsMuch) {
  const auto all =
      in_berlin(repetition("FREQ=DAILY;COUNT=3", at(2026, 3, 28, 2, 30), Duration{3600}));
  EXPECT_EQ(begins(all),
            (Times{at(2026, 3, 28, 1, 30), at(2026, 3, 29, 1, 30), at(2026, 3, 30, 0, 30)}));
  EXPECT_FALSE(all.list[0].moved);
  EXPECT_TRUE(all.list[1].moved);
}

// S3, B5.301
TEST(GivenAStartThatClocksShowTwice, WhenItIsExpandedThenItIsTheFirst) {
  const auto all =
      in_berlin(repetition("FREQ=DAILY;COUNT=3", at(2026, 10, 24, 2, 30), Duration{3600}));
  EXPECT_EQ(begins(all),
            (Times{at(2026, 10, 24, 0, 30), at(2026, 10, 25, 0, 30), at(2026, 10, 26, 1, 30)}));
}

// S4, B5.302
TEST(GivenANightInWhichClocksAreSetBack, WhenTheEndIsATimeOfDayThenItIsLonger) {
  const auto until_six =
      in_berlin(repetition("FREQ=DAILY;COUNT=2", at(2026, 10, 24, 22), std::nullopt, 6h));
  EXPECT_EQ(begins(until_six), (Times{at(2026, 10, 24, 20), at(2026, 10, 25, 21)}));
  EXPECT_EQ(lengths(until_six), (Times{9, 8}));
  const auto eight_hours =
      in_berlin(repetition("FREQ=DAILY;COUNT=2", at(2026, 10, 24, 22), Duration{8 * 3600}));
  EXPECT_EQ(lengths(eight_hours), (Times{8, 8}));
}

// S5, B5.305
TEST(GivenWholeDaysInAWeekOfTheChange, WhenTheyAreExactThenOneMeetsTheNext) {
  const auto exact = in_berlin(repetition("FREQ=DAILY;COUNT=3", at(2026, 3, 28), Duration{86400}));
  EXPECT_EQ(first_overlap(exact.list), std::optional<std::size_t>(2));
  const auto whole = in_berlin(repetition("FREQ=DAILY;COUNT=3", at(2026, 3, 28), std::nullopt, 0s));
  EXPECT_EQ(first_overlap(whole.list), std::nullopt);
  EXPECT_EQ(lengths(whole), (Times{24, 23, 24}));
}

// S6, B5.205
TEST(GivenADayThatSomeMonthsLack, WhenItIsExpandedThenThoseHaveNoOccurrence) {
  std::vector<unsigned> months;
  for (const auto& one :
       in_berlin(repetition("FREQ=MONTHLY", at(2026, 1, 31, 10), Duration{3600})).list)
    months.push_back(static_cast<unsigned>(
        std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(one.at)).month()));
  EXPECT_EQ(months, (std::vector<unsigned>{1, 3, 5, 7, 8, 10, 12}));
}

// S7, B5.202
TEST(GivenEachThirdSundayFromASaturdayOn, WhenItIsExpandedThenTheWeekOfTheSaturdayIsTheFirst) {
  const auto all =
      in_berlin(repetition("FREQ=WEEKLY;INTERVAL=3;BYDAY=SU", at(2026, 3, 14, 5), Duration{3600}));
  ASSERT_GE(all.list.size(), 3u);
  EXPECT_EQ(all.list[0].at, local(at(2026, 3, 15, 5)));
  EXPECT_EQ(all.list[1].at, local(at(2026, 4, 5, 5)));
  EXPECT_EQ(all.list[2].at, local(at(2026, 4, 26, 5)));
}

// S9, B5.206
TEST(GivenADayToSkip, WhenOccurrencesAreCountedThenItCounts) {
  auto weekly = repetition("FREQ=WEEKLY;BYDAY=MO,TH;COUNT=3", at(2026, 11, 24, 9), Duration{3600});
  const local_days monday{2026y / 11 / 30}, tuesday{2026y / 12 / 1};
  weekly.skipped = {monday, tuesday};
  const auto all = in_berlin(weekly);
  EXPECT_EQ(begins(all), (Times{at(2026, 11, 26, 8), at(2026, 12, 3, 8)}));
  EXPECT_EQ(all.not_skipped, (std::vector<local_days>{tuesday}));
}

// B5.303, B5.304
TEST(GivenTheHourThatClocksLeaveOut, WhenWindowsVanishOrMeetThenTheyAreDroppedOrMerged) {
  const auto vanished =
      in_berlin(repetition("FREQ=DAILY;COUNT=2", at(2026, 3, 28, 2, 30), std::nullopt, 3h));
  EXPECT_EQ(begins(vanished), (Times{at(2026, 3, 28, 1, 30)}));
  EXPECT_EQ(vanished.dropped, (std::vector<local_seconds>{local(at(2026, 3, 29, 2, 30))}));
  const auto merged = in_berlin(
      repetition("FREQ=DAILY;BYHOUR=2,3;COUNT=2;BYMINUTE=30", at(2026, 3, 29), Duration{600}));
  EXPECT_EQ(begins(merged), (Times{at(2026, 3, 29, 1, 30)}));
}

// B5.117
TEST(GivenALastDay, WhenItHasNoTimeThenItCounts) {
  const auto begin = at(2026, 1, 1, 9);
  const auto last = [&](const char* until) {
    return begins(in_berlin(
                      repetition(std::string("FREQ=DAILY;UNTIL=") + until, begin, Duration{3600})))
        .back();
  };
  EXPECT_EQ(last("20260105"), at(2026, 1, 5, 8));
  EXPECT_EQ(last("20260105T085959"), at(2026, 1, 4, 8));
  EXPECT_EQ(last("20260105T080000Z"), at(2026, 1, 5, 8));
  EXPECT_EQ(last("20260105T075959Z"), at(2026, 1, 4, 8));
}

// B5.1 and B13.*: the part that is wrong is named, and what it may be.
TEST(GivenRulesThatAreNone, WhenTheyAreReadThenThePartIsNamed) {
  const auto why = [](const std::string& rule) { return parse_repeat_rule(rule).what(); };
  const std::string begin = ": a rule begins with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY";
  EXPECT_EQ(why(""), "\"\"" + begin);
  EXPECT_EQ(why("BYDAY=MO"), "\"BYDAY=MO\"" + begin);
  EXPECT_EQ(why("FREQ=HOURLY"), "FREQ=HOURLY is not supported: use FREQ=DAILY;BYHOUR=0,6,12,18");
  EXPECT_EQ(why("FREQ=NEVER"), "FREQ=NEVER: expected DAILY, WEEKLY, MONTHLY or YEARLY");
  const std::string parts = ": expected INTERVAL, COUNT, UNTIL, WKST, BYMONTH, BYMONTHDAY, BYDAY, "
                            "BYHOUR, BYMINUTE or BYSETPOS, each with = and a value";
  for (const std::string part : {"DAILY", "BYSECOND=1", "BYYEARDAY=1", "BYWEEKNO=1", "SKIP=OMIT"})
    EXPECT_EQ(why("FREQ=DAILY;" + part), "\"" + part + "\"" + parts);
  EXPECT_EQ(why("FREQ=DAILY;INTERVAL=0"), "INTERVAL=0: expected a number from 1 to 999");
  EXPECT_EQ(why("FREQ=DAILY;COUNT=0"), "COUNT=0: expected a number from 1 to 9999");
  EXPECT_EQ(why("FREQ=DAILY;COUNT=1;COUNT=1"), "COUNT stands there twice");
  EXPECT_EQ(why("FREQ=DAILY;FREQ=DAILY"), "FREQ stands there twice");
  EXPECT_EQ(why("FREQ=DAILY;COUNT=1;UNTIL=20270101"), "COUNT and UNTIL exclude each other");
  const std::string weekday = ": expected MO, TU, WE, TH, FR, SA or SU, with 1 to 5 or -1 to -5 "
                              "in front";
  EXPECT_EQ(why("FREQ=MONTHLY;BYDAY=6MO"), "BYDAY=6MO" + weekday);
  EXPECT_EQ(why("FREQ=MONTHLY;BYDAY=0MO"), "BYDAY=0MO" + weekday);
  EXPECT_EQ(why("FREQ=MONTHLY;BYDAY=,"), "BYDAY=" + weekday);
  EXPECT_EQ(why("FREQ=WEEKLY;BYDAY=2MO"), "BYDAY: a number in front of a weekday needs "
                                          "FREQ=MONTHLY, or FREQ=YEARLY with BYMONTH");
  EXPECT_EQ(why("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
            "BYMONTHDAY=30: no month of BYMONTH has that day");
  EXPECT_EQ(why("FREQ=WEEKLY;BYMONTHDAY=3"),
            "BYMONTHDAY does not go with FREQ=WEEKLY: use FREQ=DAILY or FREQ=MONTHLY");
  EXPECT_EQ(why("FREQ=DAILY;BYHOUR=25"), "BYHOUR=25: expected numbers from 0 to 23");
  EXPECT_EQ(why("FREQ=DAILY;BYMONTHDAY=32"), "BYMONTHDAY=32: expected numbers from 1 to 31, with "
                                             "- in front counted from the end");
  EXPECT_EQ(why("FREQ=DAILY;BYSETPOS=1"), "BYSETPOS needs FREQ=MONTHLY or FREQ=YEARLY");
  for (const std::string date : {"2027", "20270230", "20270101T250000", "20270101X000000"})
    EXPECT_EQ(why("FREQ=DAILY;UNTIL=" + date),
              "UNTIL=" + date + ": expected a date as 20270131, or as 20270131T235900");
  EXPECT_EQ(why("FREQ=DAILY;BYMONTHDAY=" + std::string(4096, ',')),
            "the rule has more than 1024 characters");
}

TEST(GivenARuleInAnyCase, WhenItIsReadThenItIsTheSame) {
  const auto rule = parse_repeat_rule("freq=Monthly;byday=-1fr,2mo;wkst=su");
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->frequency, Frequency::monthly);
  EXPECT_EQ(rule->days.front().number, -1);
  EXPECT_EQ(rule->week_start, std::chrono::Sunday);
}
