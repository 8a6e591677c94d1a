// Answers in the words of metaschedulers (spec/metascheduler.md section 8).
#include "core/answer/ggf.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenAnAnswer, WhenItIsGoodThenTheStatusIsZero) {
  Answer answer;
  answer.say({AnswerCode::change_was_aborted, {}});
  EXPECT_EQ(ggf::status_of(answer), ggf::Status());
}

// M8.11 M8.12: the last refusal is what matters.
TEST(GivenAnAnswer, WhenItIsRefusedThenTheLastReasonThatIsKnownCounts) {
  auto answer = Answer::refusal({AnswerCode::no_suitable_queues_for_reservation, {}});
  EXPECT_EQ(ggf::status_of(answer), (ggf::Status{-30, "no capacity at that time"}));
  answer.refuse({AnswerCode::fits_never, {}});
  EXPECT_EQ(ggf::status_of(answer), (ggf::Status{-31, "can never run"}));
  answer.refuse({AnswerCode::plain_user_there, {{"user", "ann"}}});
  EXPECT_EQ(ggf::status_of(answer).code, -31);
  EXPECT_EQ(ggf::status_of(Answer::refusal({AnswerCode::hook_failed, {}})),
            (ggf::Status{-61, "internal"}));
}

// M8.25
TEST(GivenAnAnswer, WhenItNamesOthersThenTheMessageDoesNot) {
  auto answer = Answer::refusal({AnswerCode::no_suitable_queues_for_reservation, {}});
  answer.warn({AnswerCode::offers_few_globally, {{"holders", "job 17 of bob"}}});
  EXPECT_EQ(ggf::status_of(answer).message, "no capacity at that time");
}

TEST(GivenAStatus, WhenItNamesATokenThenTheMessageHasIt) {
  EXPECT_EQ(ggf::status(-13, "TIMENEEDED"), (ggf::Status{-13, "bad value for TIMENEEDED"}));
  EXPECT_EQ(ggf::status_of(Answer::refusal({AnswerCode::start_in_the_past, {}})),
            (ggf::Status{-13, "bad value for STARTTIME"}));
}

// M3.1 M3.2 M3.40
TEST(GivenALine, WhenItIsPrintedThenItBeginsWithTheStatusAndItsValuesAreEscaped) {
  EXPECT_EQ(ggf::answer_line(0, {}), "SC=0");
  EXPECT_EQ(ggf::answer_line(-13, {{"SETRES", "0"}, {"MSG", "a;b:c#d\\e\nf"}}),
            "SC=-13;SETRES=0;MSG=a\\;b\\:c\\#d\\\\e\\nf");
  EXPECT_EQ(ggf::quoted("a \"b\" \\\n"), "\"a \\\"b\\\" \\\\\\n\"");
}
