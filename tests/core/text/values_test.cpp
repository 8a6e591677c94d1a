#include "core/text/values.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

TEST(GivenATime, WhenReadThenColonsAndEmptyPartsCount) {
  EXPECT_EQ(parse_duration("1:0:0")->seconds, 3600);
  EXPECT_EQ(parse_duration("1::1")->seconds, 3601);
  EXPECT_EQ(parse_duration(":5:")->seconds, 300);
  EXPECT_EQ(parse_duration("90")->seconds, 90);
  EXPECT_TRUE(parse_duration("INFINITY")->is_endless());
}

// C2.2, C2.3.
TEST(GivenATimeOrASize, WhenItIsHexadecimalOrOctalThenItIsReadSo) {
  EXPECT_EQ(parse_duration("0x10")->seconds, 16);
  EXPECT_EQ(parse_duration("020")->seconds, 16);
  EXPECT_EQ(parse_duration("0:08:0")->seconds, 480) << "parts of a time are decimal";
  EXPECT_EQ(*parse_memory("0x10"), 16);
  EXPECT_EQ(*parse_memory("0x10K"), 16'384);
  EXPECT_EQ(*parse_memory("010M"), 8LL << 20);
  EXPECT_EQ(*parse_memory("0.5K"), 512);
  for (const char* text : {"0x", "0x-1", "09", "0xfffffffffffffffff"})
    EXPECT_FALSE(parse_duration(text).ok() || parse_memory(text).ok()) << text;
  EXPECT_FALSE(parse_memory("0x7fffffffffffffffK").ok());
}

TEST(GivenATime, WhenMalformedThenTheErrorNamesIt) {
  for (const char* text :
       {"", ":", "::", "banana", "-5", "1:2:3:4", "1h", "999999999999999999999"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.what().find(text), std::string::npos);
  }
}

RC_GTEST_PROP(GivenATime, WhenPrintedThenItReadsBack, ()) {
  const Duration duration{*rc::gen::inRange<std::int64_t>(0, 1'000'000'000)};
  RC_ASSERT(parse_duration(print_duration(duration)).value() == duration);
}

TEST(GivenAMemorySize, WhenReadThenSmallLettersAreDecimal) {
  EXPECT_EQ(*parse_memory("1k"), 1000);
  EXPECT_EQ(*parse_memory("1K"), 1024);
  EXPECT_EQ(*parse_memory("1.5G"), 3LL << 29);
  EXPECT_EQ(*parse_memory("7"), 7);
  for (const char* text : {"", "G", "-1", "1X", "1.2.3", "99999999999999999999T"})
    EXPECT_FALSE(parse_memory(text).ok()) << text;
}

RC_GTEST_PROP(GivenAMillionth, WhenPrintedThenItReadsBack, ()) {
  const auto value = *rc::gen::inRange<std::int64_t>(-1'000'000'000'000, 1'000'000'000'000);
  RC_ASSERT(parse_millionths(print_millionths(value)).value() == value);
}

TEST(GivenAMillionth, WhenThereIsLessOfItThenItIsRoundedDown) {
  EXPECT_EQ(*parse_millionths("0.0000019"), 1);
  EXPECT_EQ(*parse_millionths("-0.0000001"), -1);
  EXPECT_EQ(*parse_millionths("-0.0000010"), -1);
}

TEST(GivenADate, WhenReadThenYearAndSecondsMayBeMissing) {
  const auto full = parse_date_time("202611201805.30");
  EXPECT_EQ(full->year, 2026);
  EXPECT_EQ(full->second, 30);
  EXPECT_EQ(parse_date_time("2611201805")->year, 2026);
  EXPECT_EQ(parse_date_time("7011201805")->year, 1970);
  EXPECT_EQ(parse_date_time("11201805")->year, -1);
  for (const char* text : {"", "banana", "1120180", "11321805", "13201805", "11202405", "11201860",
                           "11201805.3", "11201805.61"})
    EXPECT_FALSE(parse_date_time(text).ok()) << text;
}

TEST(GivenAHostOrAnAddress, WhenReadThenItHasTheirCharactersOnly) {
  for (const char* text : {"n1", "n1.example.org", "192.0.2.7", "2001:db8::1", "my_host-2"})
    EXPECT_TRUE(is_host_or_address(text)) << text;
  for (const char* text : {"", "a b", "a/b", "a\n", "h\xc3\xb6st", "n1;"})
    EXPECT_FALSE(is_host_or_address(text)) << text;
  EXPECT_TRUE(is_host_or_address(std::string(255, 'a')));
  EXPECT_FALSE(is_host_or_address(std::string(256, 'a')));
}
