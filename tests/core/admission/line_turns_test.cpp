// Lines of a connection are asked at the same time, and answered in order (spec/metascheduler.md M2.2).
#include "core/admission/line_turns.hpp"

#include <gtest/gtest.h>

#include <vector>

using namespace almanac;

namespace {

std::vector<std::uint64_t> asked_now(LineTurns& turns) {
  std::vector<std::uint64_t> numbers;
  while (const auto question = turns.next()) numbers.push_back(question->number);
  return numbers;
}
using Numbers = std::vector<std::uint64_t>;

} // namespace

TEST(GivenLinesOfAConnection, WhenTheyHaveOneVerbThenTheyGoTogetherAndAreAnsweredInOrder) {
  LineTurns turns({3, 64, 1000});
  for (const auto* line : {"SETRES USER=a", "setres USER=b", " SetRes USER=c", "SETRES USER=d"})
    turns.add(line);
  EXPECT_EQ(asked_now(turns), (Numbers{1, 2, 3})) << "no more at once";
  turns.answered(2, "two\n");
  EXPECT_EQ(turns.take_ready(), "");
  EXPECT_EQ(asked_now(turns), (Numbers{4}));
  turns.answered(1, "one\n");
  EXPECT_EQ(turns.take_ready(), "one\ntwo\n");
  turns.answered(4, "four\n");
  turns.answered(3, "three\n");
  EXPECT_EQ(turns.take_ready(), "three\nfour\n");
  EXPECT_TRUE(turns.is_empty());
}

TEST(GivenLinesOfAConnection, WhenTheVerbIsAnotherThenItWaitsForThoseBeforeIt) {
  LineTurns turns({});
  for (const auto* line : {"SETRES 1", "SETRES 2", "RESQUERY 3", "SETRES 4"}) turns.add(line);
  EXPECT_EQ(asked_now(turns), (Numbers{1, 2}));
  turns.answered(1, "");
  EXPECT_TRUE(asked_now(turns).empty());
  turns.answered(2, "");
  EXPECT_EQ(asked_now(turns), (Numbers{3}));
  turns.answered(3, "");
  EXPECT_EQ(asked_now(turns), (Numbers{4}));
}

TEST(GivenLinesOfAConnection, WhenTheyModifyThenEachGoesByItself) {
  LineTurns turns({});
  turns.add("MODIFY RESID=1;HOLD=5"), turns.add("modify RESID=1;HOLD=6");
  EXPECT_EQ(asked_now(turns), (Numbers{1}));
  turns.answered(1, "");
  EXPECT_EQ(asked_now(turns), (Numbers{2}));
}

TEST(GivenLinesOfAConnection, WhenMuchWaitsThenTheyAreFull) {
  LineTurns turns({1, 4, 100});
  turns.add("QUERY"), turns.add("QUERY"), turns.add("QUERY");
  EXPECT_FALSE(turns.is_full());
  turns.add("QUERY");
  EXPECT_TRUE(turns.is_full()) << "so many lines";
  ASSERT_EQ(asked_now(turns), (Numbers{1}));
  turns.answered(1, std::string(100, 'x'));
  EXPECT_EQ(turns.take_ready().size(), 100u);
  EXPECT_FALSE(turns.is_full());
  ASSERT_EQ(asked_now(turns), (Numbers{2}));
  turns.add(std::string(90, ' '));
  EXPECT_TRUE(turns.is_full()) << "so many bytes";
}

TEST(GivenLinesOfAConnection, WhenAnAnswerIsToNothingThenItIsDropped) {
  LineTurns turns({});
  turns.add("QUERY");
  turns.answered(1, "early");
  turns.answered(7, "wrong");
  EXPECT_EQ(turns.take_ready(), "");
  ASSERT_EQ(asked_now(turns), (Numbers{1}));
  turns.answered(1, "one");
  turns.answered(1, "again");
  EXPECT_EQ(turns.take_ready(), "one");
  turns.answered(1, "late");
  EXPECT_EQ(turns.take_ready(), "");
}
