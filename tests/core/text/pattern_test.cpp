#include "core/text/task_numbers.hpp"
#include "core/text/pattern.hpp"
#include "core/text/names.hpp"
#include "core/text/ranges.hpp"
#include "core/text/words.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

TEST(GivenAnExpression, WhenMatchedThenItFollowsTheVectorsOfTheSpecification) {
  EXPECT_TRUE(matches_expression("lx*&!lx-x86", "lx-amd64"));
  EXPECT_FALSE(matches_expression("lx*&!lx-x86", "lx-x86"));
  EXPECT_TRUE(matches_expression("(a|b)&!b", "a"));
  EXPECT_FALSE(matches_expression("(a|b)&!b", "b"));
  EXPECT_FALSE(matches_expression("Host", "host"));
  EXPECT_TRUE(matches_expression("Host", "host", Case::insensitive));
}

TEST(GivenAnExpression, WhenMalformedThenItIsRefusedAndMatchesNothing) {
  for (const char* text : {"", "(", "a&", "|b", "(a", "a)", "!"}) {
    EXPECT_FALSE(valid_expression(text).ok()) << text;
    EXPECT_FALSE(matches_expression(text, "a")) << text;
  }
  EXPECT_FALSE(valid_expression(std::string(100'000, '(')).ok());
}

TEST(GivenAPattern, WhenMatchedThenStarsAndBracketsWork) {
  EXPECT_TRUE(matches_pattern("a*b*c", "aXXbYYc"));
  EXPECT_FALSE(matches_pattern("a*b*c", "aXXbYY"));
  EXPECT_TRUE(matches_pattern("n[1-3]", "n2"));
  EXPECT_FALSE(matches_pattern("n[1-3]", "n4"));
  EXPECT_TRUE(matches_pattern("\\*", "*"));
}

TEST(GivenASlotRange, WhenReadThenOpenEndsAreAllowed) {
  EXPECT_EQ(parse_slot_ranges("2-8")->front(), (SlotRange{2, 8}));
  EXPECT_EQ(parse_slot_ranges("4-")->front(), (SlotRange{4, most_slots}));
  EXPECT_EQ(parse_slot_ranges("-8")->front(), (SlotRange{1, 8}));
  EXPECT_EQ(parse_slot_ranges("1,4-6")->size(), 2u);
  for (const char* text : {"", "0", "a", "8-2", "-", "1,,2", "0-4"})
    EXPECT_FALSE(parse_slot_ranges(text).ok()) << text;
}

TEST(GivenATaskRange, WhenReadThenItIsAsTypedAndItsLastTaskIsOneThatTheStepsReach) {
  EXPECT_EQ(*parse_task_range("1-10:4"), (TaskRange{1, 10, 4}));
  EXPECT_EQ(reached(*parse_task_range("1-10:4")), (TaskRange{1, 9, 4}));
  EXPECT_EQ(reached(TaskRange()), TaskRange());
  EXPECT_EQ(parse_task_range("5")->count(), 1);
  for (const char* text : {"", "0-3", "3-1", "1-2:0", "a", "1-99999999999"})
    EXPECT_FALSE(parse_task_range(text).ok()) << text;
}

TEST(GivenTasks, WhenPrintedThenRunsAreJoined) {
  EXPECT_EQ(print_tasks({7, 8, 9}), "7-9:1");
  EXPECT_EQ(print_tasks({7, 8}), "7,8");
  EXPECT_EQ(print_tasks({2, 5, 7, 9}), "2,5-9:2");
}

TEST(GivenAShellLine, WhenSplitThenQuotesHold) {
  EXPECT_EQ(*shell_words(R"(-S "/usr/bin/env bash" -N 'a b' c\ d)"),
            (std::vector<std::string>{"-S", "/usr/bin/env bash", "-N", "a b", "c d"}));
  EXPECT_FALSE(shell_words("'open").ok());
}

TEST(GivenAName, WhenItHoldsWhatNamesMayNotThenTheReasonSaysSo) {
  EXPECT_TRUE(valid_object_name("job_1-x.sh").ok());
  EXPECT_TRUE(valid_object_name("1abc").ok());
  EXPECT_NE(valid_name_unlike_number("1abc").what().find("cannot start with a digit"),
            std::string::npos);
  for (const char* name : {"", "a b", "a/b", "a:b", "a,b", "a*"})
    EXPECT_FALSE(valid_object_name(name).ok()) << name;
}
