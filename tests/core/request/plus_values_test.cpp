// Values as plus_* commands take them (docs/spec/plus.md section 2, Argument formats).
#include "core/request/plus_values.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr Instant now{1'171'972'800}; // 2007-02-20T12:00:00Z

// Local time is an hour ahead of Greenwich; a date without a year is of 2007.
Result<Instant> an_hour_ahead(const DateTime& date) {
  const PlusClock utc{now, {}};
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d+01:00",
                date.year < 0 ? 2007 : date.year, date.month, date.day, date.hour, date.minute,
                date.second);
  return parse_plus_time(text, utc);
}

std::int64_t time_of(std::string_view text) {
  const auto at = parse_plus_time(text, {now, an_hour_ahead});
  return at ? at->seconds - now.seconds : -1;
}
std::int64_t duration_of(std::string_view text) {
  const auto length = parse_plus_duration(text);
  return length ? length->seconds : -1;
}

} // namespace

// P2.11
TEST(GivenATimeOfPlus, WhenItIsReadThenEachFormMeansTheSameMoment) {
  for (const char* text :
       {"200702201400", "0702201400", "02201400", "200702201400.00", "2007-02-20T14:00:00",
        "2007-02-20T14:00:00+01:00", "2007-02-20T13:00:00Z", "2007-02-20T08:00:00-05:00", "+1h",
        "+3600", "+01:00:00", "@1171976400"})
    EXPECT_EQ(time_of(text), 3600) << text;
  EXPECT_EQ(time_of("now"), 0);
  EXPECT_EQ(time_of("+0"), 0);
}

TEST(GivenATimeOfPlus, WhenItIsNoneThenItIsRefused) {
  for (const char* text : {"",
                           "NOW",
                           "tomorrow",
                           "+",
                           "+1x",
                           "@",
                           "@-1",
                           "@99999999999999999999",
                           "2007-02-30T00:00:00",
                           "2007-02-20",
                           "2007-02-20T14:00",
                           "2007-02-20 14:00:00",
                           "2007-02-20T24:00:00",
                           "2007-02-20T14:00:00+1",
                           "2007-02-20T14:00:00+25:00",
                           "2007-02-20T14:00:00*01:00",
                           "1969-12-31T23:59:59Z",
                           "13011200",
                           "0220140",
                           "-1",
                           "2007x02-20T14:00:00"})
    EXPECT_FALSE(parse_plus_time(text, {now, an_hour_ahead})) << text;
}

// P2.12
TEST(GivenADurationOfPlus, WhenItIsReadThenEachFormIsUnderstood) {
  EXPECT_EQ(duration_of("90"), 90);
  EXPECT_EQ(duration_of("010"), 10);
  EXPECT_EQ(duration_of("01:00:00"), 3600);
  EXPECT_EQ(duration_of("1:30"), 90);
  EXPECT_EQ(duration_of("7d"), 7 * 86'400);
  EXPECT_EQ(duration_of("1d12h"), 36 * 3600);
  EXPECT_EQ(duration_of("1h30m5s"), 5405);
  EXPECT_EQ(duration_of("0"), 0);
}

TEST(GivenADurationOfPlus, WhenItIsNoneThenItIsRefused) {
  for (const char* text : {"", "d", "1d2", "1 d", "-1", "1w", "INFINITY", "1:2:3:4", "0x10", "1.5h",
                           "99999999999999999999", "99999999999d", "40000d", "106751991167300d1d"})
    EXPECT_EQ(duration_of(text), -1) << text;
}

// P2.13, P2.14, P2.17
TEST(GivenNamesOfPlus, WhenTheyAreReadThenEachIsAWord) {
  EXPECT_EQ(parse_plus_id("R123")->value, 123);
  EXPECT_EQ(parse_plus_id("123")->value, 123);
  for (const char* text : {"", "R", "0", "R0", "r1", "R-1", "R1.2", "all"})
    EXPECT_FALSE(parse_plus_id(text)) << text;
  EXPECT_EQ(*parse_plus_names("all.q,b.q"), (std::vector<std::string>{"all.q", "b.q"}));
  for (const char* text : {"", ",", "a,", "a,,b", "a b", "a\n"})
    EXPECT_FALSE(parse_plus_names(text)) << text;
  EXPECT_EQ(*parse_plus_users("ann,@set"), (std::vector<std::string>{"ann", "@set"}));
  EXPECT_EQ(*parse_plus_users("root,ann,root"), (std::vector<std::string>{"root", "ann"}));
  for (const char* text : {"!ann", "a*", "@", "ann,"}) EXPECT_FALSE(parse_plus_users(text)) << text;
}

// P2.15
TEST(GivenMemoryOfPlus, WhenItIsReadThenItStaysAsItIsWritten) {
  for (const char* text : {"2g", "512M", "1048576", "4K"})
    EXPECT_EQ(*parse_plus_memory(text), text);
  for (const char* text : {"", "0", "g", "2T", "2gb", "-1", "1.5G", "INFINITY", "2 g"})
    EXPECT_FALSE(parse_plus_memory(text)) << text;
}

TEST(GivenACountOfPlus, WhenItIsOutOfItsBoundsThenItIsRefused) {
  EXPECT_EQ(*parse_plus_count("3", 1, 3), 3);
  for (const char* text : {"", "0", "4", "-1", "1.0", "two"})
    EXPECT_FALSE(parse_plus_count(text, 1, 3)) << text;
}
