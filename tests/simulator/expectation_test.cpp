#include "tools/simulator/world/expectation.hpp"

#include <gtest/gtest.h>

using namespace almanac;
using Lines = std::vector<std::string>;

TEST(GivenWhatACommandIsToPrint, WhenItIsComparedThenStarsAndDotsStandForAnything) {
  EXPECT_TRUE(all_fit({"job 1 *", "...", "end"}, {"job 1 runs", "a", "b", "end"}));
  EXPECT_TRUE(all_fit({"job 1 *", "...", "end"}, {"  job 1 runs", "end"}));
  EXPECT_FALSE(all_fit({"job 1 *", "end"}, {"job 1 runs", "a", "end"}));
  EXPECT_FALSE(all_fit({"job ?"}, {"job 1"}));
}

TEST(GivenWhatACommandIsToPrint, WhenALineChangesThenTheOthersStayAsTheyAreWritten) {
  EXPECT_EQ(*rewritten({"job * runs", "old", "at *"}, {"job 7 runs", "new", "at noon"}),
            (Lines{"job * runs", "new", "at *"}));
  EXPECT_EQ(*rewritten({"a", "b"}, {"a", "x", "y", "b"}), (Lines{"a", "x", "y", "b"}));
  EXPECT_EQ(*rewritten({"a", "b"}, {}), (Lines{"(nothing)"}));
  EXPECT_EQ(*rewritten({}, {"a"}), (Lines{"a"}));
}

TEST(GivenWhatACommandIsToPrint, WhenAnyLinesStandBetweenWhatChangedThenAPersonDecides) {
  EXPECT_FALSE(rewritten({"a", "...", "b"}, {"x", "1", "2", "y"}));
  EXPECT_EQ(*rewritten({"...", "b"}, {"...", "c"}), (Lines{"...", "c"}));
}
