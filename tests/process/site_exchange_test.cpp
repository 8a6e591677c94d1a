// What a line of a metascheduler is answered, whatever the master says or does not say
// (spec/metascheduler.md section 8).
#include "tests/process/command_call.hpp"
#include "tools/commands/site_exchange.hpp"
#include "tools/commands/context.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

// Gives this answer to everything; without one it cannot be reached.
class AnsweringDoor : public Door {
public:
  Outcome call(door::RequestBody, const OnFrame& on_frame) override {
    if (!answer) return Error{"can't reach the door"};
    door::ReplyBody reply = *answer;
    on_frame(reply);
    return Done{};
  }
  std::optional<Answer> answer;
};

class GivenALineOfAMetascheduler : public ::testing::Test {
public:
  std::string answer_to(const std::string& line) {
    CommandCall call(door, "gmeta");
    std::string text;
    for (const auto& one : answer_line(call.context, line, "", {}).lines) text += one + "\n";
    return text;
  }
  AnsweringDoor door;
};

const std::string set = "SETRES USER=ann;TIMENEEDED=1H;STARTTIME=2000;NODES=1";

} // namespace

// M8.22
TEST_F(GivenALineOfAMetascheduler, WhenTheMasterCannotBeReachedThenItMayBeTriedAgain) {
  EXPECT_EQ(answer_to(set), "SC=-60;SETRES=0;MSG=busy, try later;RETRYAFTER=10\n");
  EXPECT_EQ(answer_to("STATUS RESID=R1"), "SC=-60;MSG=busy, try later;RETRYAFTER=10\n");
  EXPECT_EQ(answer_to("MODIFY RESID=R1;STARTTIME=NOW"),
            "SC=-60;MSG=busy, try later;RETRYAFTER=10\n");
}

// M8.23
TEST_F(GivenALineOfAMetascheduler, WhenTheAnswerMeansNothingHereThenItIsInternal) {
  door.answer = Answer::refusal({AnswerCode::hook_failed, {{"why", "/home/bob/secret"}}});
  EXPECT_EQ(answer_to(set), "SC=-61;SETRES=0;MSG=internal\n");
}

// M8.25
TEST_F(GivenALineOfAMetascheduler, WhenARefusalNamesOthersAndTheirJobsThenTheLineDoesNot) {
  const Statement holders{AnswerCode::offers_few_globally, {{"holders", "job 17 of bob"}}};
  auto refusal = Answer::refusal({AnswerCode::no_suitable_queues_for_reservation, {}});
  refusal.warn(holders);
  door.answer = refusal;
  EXPECT_EQ(answer_to(set), "SC=-30;SETRES=0;MSG=no capacity at that time\n");
  door.answer = Answer::refusal({AnswerCode::unable_to_run_job, {{"why", holders}}});
  EXPECT_EQ(answer_to("QUERY USER=ann;TIMENEEDED=1H;NODES=1"), "SC=-31;MSG=can never run\n");
  door.answer = Answer::refusal(
      {AnswerCode::no_right_to_change_reservation, {{"user", "ann"}, {"reservation", 7}}});
  EXPECT_EQ(answer_to("RELEASE RESID=R7"), "SC=-21;MSG=not allowed to act for user\n");
}
