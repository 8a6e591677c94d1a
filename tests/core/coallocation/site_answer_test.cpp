#include "core/coallocation/site_answer.hpp"

#include <gtest/gtest.h>

namespace almanac {
namespace {

// The worked session of docs/spec/metascheduler.md section 9.
TEST(GivenTheWorkedSession, WhenItsAnswersAreReadThenTheirTokensAreThere) {
  AnswerReader reader;
  auto answer = reader.take("SC=0;ID=1;SITE=alpha;VERSION=1;NOW=1700000000;VERBS=QUERY,RESQUERY");
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ((*answer)->status, 0);
  EXPECT_EQ(*(*answer)->find("NOW"), "1700000000");

  auto begun = reader.take("SC=0;COUNT=2");
  ASSERT_TRUE(begun && !*begun);
  begun = reader.take("SC=0;STIME=1700003600;ENDSTIME=1700010800");
  ASSERT_TRUE(begun && !*begun);
  auto ended = reader.take("SC=0;STIME=1700040000;ENDSTIME=1700090000;OTHERINFO=cells\\:2");
  ASSERT_TRUE(ended && *ended);
  ASSERT_EQ((*ended)->others.size(), 2U);
  EXPECT_EQ(*find_token((*ended)->others[0], "STIME"), "1700003600");
  EXPECT_EQ(*find_token((*ended)->others[1], "OTHERINFO"), "cells:2");

  auto refused = reader.take("SC=-13;SETRES=0;MSG=bad value for TIMENEEDED");
  ASSERT_TRUE(refused && *refused);
  EXPECT_EQ((*refused)->reason(), "bad value for TIMENEEDED (SC=-13)");
}

// M3.37
TEST(GivenRangesWithoutAStatusOfTheirOwn, WhenTheyAreReadThenTheyCountAsWell) {
  AnswerReader reader;
  ASSERT_TRUE(reader.take("SC=0;COUNT=1").ok());
  const auto answer = reader.take("STIME=1;ENDSTIME=2");
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ(*find_token((*answer)->others[0], "ENDSTIME"), "2");
  const auto none = reader.take("SC=0;COUNT=0");
  ASSERT_TRUE(none && *none);
  EXPECT_TRUE((*none)->others.empty());
}

TEST(GivenWhatIsNoAnswer, WhenItIsReadThenItIsAnError) {
  for (const char* line :
       {"", "hello", "=1", "SC", "SC=", "SC=1", "SC=x", "SC=-99999999999999999999", "STIME=1",
        "SC=0;;A=1", "SC=0;1A=2", "SC=0;A=\\", "SC=0;COUNT=1025", "SC=0;COUNT=-1", "SC=0;A\xff=1"})
    EXPECT_FALSE(AnswerReader().take(line).ok()) << line;
  EXPECT_FALSE(AnswerReader().take("SC=0;A=" + std::string(longest_answer_line, 'a')).ok());
  EXPECT_FALSE(AnswerReader().take(std::string(longest_answer_line, ';')).ok());
}

} // namespace
} // namespace almanac
