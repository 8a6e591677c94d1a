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
    const auto count = [&](char sign) {
      return std::count(sentence.begin(), sentence.end(), sign);
    };
    EXPECT_EQ(count('{'), count('}')) << name_of(code);
    EXPECT_EQ(count('['), count(']')) << name_of(code);
  }
}

TEST(GivenAStatement, WhenItIsPutInWordsThenItsDetailsStandInTheSentence) {
  EXPECT_EQ(
      gridengine::text_of({AnswerCode::job_submitted, {{"job", JobNumber{7}}, {"name", "{job}"}}}),
      "Your job 7 (\"{job}\") has been submitted")
      << "what a user wrote is no sentence";
}

TEST(GivenAListOfStatements, WhenItIsPutInWordsThenTheSentenceSaysWhatStandsBetweenThem) {
  const Statement two{AnswerCode::jobs_may_still_run,
                      {{"grants", std::vector<Statement>{
                                      {AnswerCode::a_grant, {{"queue", "q@a"}, {"slots", 2}}},
                                      {AnswerCode::a_grant, {{"queue", "q@b"}, {"slots", 1}}}}}}};
  EXPECT_EQ(gridengine::text_of(two), "not repaired: jobs may still run on q@a=2,q@b=1");
}

TEST(GivenASentenceWithBrackets, WhenNoDetailOfThemIsThereThenTheyAreLeftOut) {
  Statement full{AnswerCode::offers_few_globally,
                 {{"request", "-l [x]"}, {"resource", "slots"}, {"amount", "0"}}};
  const std::string head = "(-l [x]) cannot run globally because it offers only gc:slots=0";
  EXPECT_EQ(gridengine::text_of(full), head);
  full.details.emplace_back("taken",
                            Statement{AnswerCode::share_of_job, {{"job", "3.1"}, {"amount", "2"}}});
  EXPECT_EQ(gridengine::text_of(full), head + " (taken by job 3.1: 2)");
  full.details.emplace_back("more", 4);
  EXPECT_EQ(gridengine::text_of(full), head + " (taken by job 3.1: 2 and 4 more)");
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
