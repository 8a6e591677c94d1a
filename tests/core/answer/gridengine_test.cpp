#include "core/answer/gridengine.hpp"
#include "core/base/ids.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace almanac {

namespace {

TEST(GivenAnswerCodes, WhenEachIsLookedUpThenItHasASentenceInWhichEveryBraceIsClosed) {
  for (std::size_t i = 0; i < known_answer_codes; ++i) {
    const auto code = static_cast<AnswerCode>(i);
    const auto sentence = gridengine::sentence_of(code);
    EXPECT_FALSE(sentence.empty()) << name_of(code);
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '{'),
              std::count(sentence.begin(), sentence.end(), '}'))
        << name_of(code);
  }
}

TEST(GivenAStatement, WhenItIsPutInWordsThenItsDetailsStandInTheSentence) {
  EXPECT_EQ(
      gridengine::text_of({AnswerCode::job_submitted, {{"job", JobNumber{7}}, {"name", "{job}"}}}),
      "Your job 7 (\"{job}\") has been submitted")
      << "what a user wrote is no sentence";
}

TEST(GivenAStatementInAnother, WhenItIsPutInWordsThenEachLineOfItIsALineOfTheAnswer) {
  auto answer = Answer::refusal(
      {AnswerCode::unable_to_run_job, {{"why", Statement{AnswerCode::project_needed, {}}}}}, 25);
  const std::vector<Line> lines{{"Unable to run job: job rejected: no project given (-P), but "
                                 "enforce_project is set.",
                                 true},
                                {"Exiting.", true}};
  EXPECT_EQ(answer.exit_code, 25);
  EXPECT_EQ(gridengine::lines_of(answer), lines);
  EXPECT_EQ(gridengine::lines_of(gridengine::with_lines(answer)), lines) << "said once";
}

TEST(GivenADetailWithLinesOfItsOwn, WhenTheAnswerIsPutInWordsThenTheyMakeNoLineOfIt) {
  const auto answer =
      Answer::refusal({AnswerCode::unable_to_run_job, {{"why", Statement::said("one\ntwo")}}});
  const std::vector<Line> lines{{"Unable to run job: one\ntwo.", true}, {"Exiting.", true}};
  EXPECT_EQ(gridengine::lines_of(answer), lines);
  EXPECT_EQ(gridengine::first_line_of(answer), lines.front().text);
  EXPECT_EQ(gridengine::first_line_of(Answer()), "");
}

TEST(GivenACodeOfANewerMaster, WhenItIsPutInWordsThenItsDetailsAreShown) {
  const Statement statement{AnswerCode{9'999}, {{"host", "h1"}, {"left", Duration{60}}}};
  EXPECT_EQ(gridengine::text_of(statement), "unknown (host=h1, left=00:01:00)");
}

TEST(GivenAnAnswerOfAnOlderMaster, WhenItIsPutInWordsThenItsOwnLinesAreShown) {
  Answer answer;
  answer.lines = {{"Your job 7 has been submitted", false}};
  EXPECT_EQ(gridengine::lines_of(answer), answer.lines);
}

} // namespace

} // namespace almanac
