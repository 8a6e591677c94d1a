// What qrsub -repeat says (spec/beyond.md section 5.1).
#include "core/request/reserve_options.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr std::int64_t day = 86400;
constexpr std::int64_t new_year = 20454 * day; // 2026-01-01

Result<ReserveOptions> parsed(std::vector<std::string> words) {
  return parse_reservation(words, [](const DateTime&) { return Result<Instant>(Instant{500}); });
}
// Said at noon of 2026-01-01 in UTC.
Result<Recurrence> read(std::vector<std::string> words, const TimeZone& zone = {}) {
  const auto options = parsed(std::move(words));
  if (!options) return options.error();
  auto series = options->series;
  if (series.zone.empty()) series.zone = "UTC";
  return recurrence_of(series, zone, {new_year + day / 2});
}
Result<Recurrence> daily(std::vector<std::string> more) {
  std::vector<std::string> words{"-repeat", "FREQ=DAILY", "-a", "202601020900", "-d", "1:0:0"};
  words.insert(words.end(), more.begin(), more.end());
  return read(words);
}

} // namespace

// B5.114, B5.116, B5.119
TEST(GivenTheOptionsOfASeries, WhenTheyAreReadThenTimesAreThoseOfTheWallClock) {
  const auto all = read({"-repeat", "freq=daily;count=3", "-a", "202601020930", "-e", "1100",
                         "-zone", "Europe/Berlin", "-conflict", "wait"},
                        {{{{0}, 3600}}});
  ASSERT_TRUE(all.ok()) << all.what();
  EXPECT_EQ(all->first, new_year + day + 9 * 3600 + 30 * 60);
  EXPECT_EQ(all->ends_at, 11 * 3600);
  EXPECT_EQ(all->zone, "Europe/Berlin");
  EXPECT_EQ(all->zone_changes.size(), 1u);
  EXPECT_TRUE(all->waits);
  EXPECT_EQ(parsed({"-repeat", "FREQ=DAILY", "-a", "01020930", "-e", "1100"})->request.start,
            Instant{});
}

// Without a year, the one that the zone has now.
TEST(GivenTheOptionsOfASeries, WhenTheYearIsMissingThenItIsThatOfTheZone) {
  const std::vector<std::string> words{"-repeat", "FREQ=DAILY", "-a", "01020900", "-d", "60"};
  EXPECT_EQ(read(words)->first, new_year + day + 9 * 3600);
  const TimeZone far_behind{{{{0}, -13 * 3600}}};
  EXPECT_EQ(read(words, far_behind)->first, new_year - 364 * day + 9 * 3600);
}

// B5.117
TEST(GivenTheOptionsOfASeries, WhenItHasALastDayThenThatDayIsIncluded) {
  EXPECT_EQ(daily({"-until", "20260105"})->until, new_year + 5 * day - 1);
  EXPECT_EQ(daily({"-until", "260105"})->until, new_year + 5 * day - 1);
  EXPECT_EQ(daily({"-until", "0105"})->until, new_year + 5 * day - 1);
  EXPECT_EQ(daily({"-until", "01051200"})->until, new_year + 4 * day + day / 2);
  EXPECT_EQ(daily({"-until", "202601051200"})->until, new_year + 4 * day + day / 2);
  for (const char* wrong : {"x", "13", "20261301", "20260230", "202601052500", "5.1."})
    EXPECT_FALSE(daily({"-until", wrong}).ok()) << wrong;
}

// B5.118, B13.21
TEST(GivenTheOptionsOfASeries, WhenDaysAreSkippedThenTheyAreDates) {
  EXPECT_EQ(daily({"-skip", "20260105,2026-01-06", "-skip", "0107"})->skipped,
            (std::vector<std::int64_t>{20458, 20459, 20460}));
  for (const char* wrong : {"31.12.", "2026-1-6", "x", "20260230", ",", ""})
    EXPECT_FALSE(daily({"-skip", wrong}).ok()) << wrong;
}

// B13: what stands beside -repeat or not.
TEST(GivenTheOptionsOfASeries, WhenTheyMakeNoSenseThenTheErrorSaysWhy) {
  const auto what = [](std::vector<std::string> words) {
    const auto options = parsed(std::move(words));
    return options ? std::string() : options.what();
  };
  const std::vector<std::string> plain{"-repeat", "FREQ=DAILY", "-a", "01020900"};
  const auto with = [&](std::vector<std::string> more) {
    auto words = plain;
    words.insert(words.end(), more.begin(), more.end());
    return what(words);
  };
  EXPECT_EQ(with({}), "");
  EXPECT_EQ(what({"-repeat", "FREQ=DAILY"}), "-repeat needs -a, its first day and the time of day");
  EXPECT_EQ(what({"-repeat", "FREQ=DAILY", "-a", "asap", "-d", "5"}),
            "-repeat and asap exclude each other");
  EXPECT_EQ(with({"-e", "01021000"}), "with -repeat, -e is a time of day: hhmm");
  EXPECT_EQ(with({"-e", "1000", "-d", "5"}), "with -repeat, -e and -d exclude each other");
  EXPECT_EQ(with({"-from-job", "1"}), "-repeat and -from-job exclude each other");
  EXPECT_EQ(with({"-override-holds"}), "-repeat and -override-holds exclude each other");
  EXPECT_EQ(with({"-w", "p"}), "-repeat and -w p exclude each other");
  EXPECT_EQ(with({"-until", ""}), "option -until : nothing is given");
  EXPECT_NE(with({"-zone", "../passwd"}).find("unknown time zone"), std::string::npos);
  EXPECT_NE(with({"-conflict", "maybe"}).find("\"wait\" is expected"), std::string::npos);
  for (const char* option : {"-until", "-skip", "-zone"})
    EXPECT_EQ(what({option, "20270101", "-d", "5"}),
              "option " + std::string(option) + " needs -repeat");
  EXPECT_EQ(what({"-e", "0900"}), "Wrong date/time format \"0900\" specified to -e option");
  for (const char* rule :
       {"", "FREQ=HOURLY", "DAILY;DAILY", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=1;UNTIL=20270101", "FREQ=MONTHLY;BYDAY=6MO", "FREQ=WEEKLY;BYDAY=2MO",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYHOUR=25"})
    EXPECT_NE(what({"-repeat", rule, "-a", "01020900"}).find("-repeat"), std::string::npos) << rule;
  EXPECT_LT(what({"-repeat", std::string(4096, ','), "-a", "01020900"}).size(), 1024u);
}

// B5.405
TEST(GivenTheOptionsOfASeries, WhenItIsChangedThenOnlyWhatIsGivenIsThere) {
  const auto changed =
      parse_alteration({"5", "-e", "1200", "-until", "20270101"},
                       [](const DateTime&) { return Result<Instant>(Instant{500}); });
  ASSERT_TRUE(changed.ok()) << changed.what();
  EXPECT_EQ(changed->command.options, (std::vector<std::string>{"-e", "-until"}));
  const auto recurrence = changed_recurrence(changed->series, {}, {new_year});
  ASSERT_TRUE(recurrence.ok()) << recurrence.what();
  EXPECT_EQ(recurrence->ends_at, 12 * 3600);
  EXPECT_TRUE(recurrence->rule.empty() && recurrence->first == 0);
}
