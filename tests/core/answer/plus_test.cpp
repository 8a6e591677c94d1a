// The words of plus_* commands (docs/spec/plus.md).
#include "core/answer/plus.hpp"
#include "core/answer/gridengine.hpp"
#include "core/base/ids.hpp"

#include <algorithm>
#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenTheWordsOfPlus, WhenEachCodeIsLookedUpThenItHasASentenceInWhichEveryBraceIsClosed) {
  for (std::size_t i = 0; i < known_answer_codes; ++i) {
    const auto code = static_cast<AnswerCode>(i);
    const auto sentence = plus::sentence_of(code);
    EXPECT_FALSE(sentence.empty()) << name_of(code);
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '{'),
              std::count(sentence.begin(), sentence.end(), '}'))
        << name_of(code);
  }
}

TEST(GivenAStatement, WhenPlusCallsItOtherwiseThenItSaysR123) {
  const Statement pending{AnswerCode::operation_pending, {{"reservation", ReservationNumber{123}}}};
  EXPECT_EQ(plus::text_of(pending),
            "operation pending on R123: plus_commit or plus_abort comes first");
  const Statement other{AnswerCode::no_such_userset, {{"userset", "a"}}};
  EXPECT_EQ(plus::text_of(other), gridengine::text_of(other));
}

// P2.3, P3.25
TEST(GivenARefusalOfNodes, WhenItIsPutInWordsThenTheReasonsAreSaidAndNotThatThereIsNoPlace) {
  Answer answer;
  answer.warn({AnswerCode::start_in_the_past, {}});
  answer.refuse({AnswerCode::no_suitable_queues_for_reservation, {}});
  EXPECT_EQ(plus::troubles_of(answer), std::vector<std::string>{"the start (-s) has passed"});
  answer.warn({AnswerCode::pe_offers_few, {{"pe", "alloc:$pe_slots"}, {"slots", 0}}});
  EXPECT_EQ(plus::troubles_of(answer), std::vector<std::string>{"the start (-s) has passed"})
      << "nobody has asked for a parallel environment";
  answer.statements.erase(answer.statements.begin());
  EXPECT_EQ(plus::troubles_of(answer),
            std::vector<std::string>{"no nodes can be reserved in this time"});
  answer.statements.erase(answer.statements.begin());
  EXPECT_EQ(plus::troubles_of(answer).size(), 1u) << "something has to be said";
}

// P3.25: of nodes that are too small or in use, the one with most slots counts
TEST(GivenARefusalOfNodes, WhenNodesHaveTooFewSlotsThenItIsSaidHowManyTheyHaveAtMost) {
  Answer answer;
  for (const int slots : {0, 1, 2, 2})
    answer.warn({AnswerCode::pe_offers_few, {{"pe", "alloc:$pe_slots"}, {"slots", slots}}});
  answer.warn({AnswerCode::not_enough_nodes, {{"requested", 1}, {"available", 0}}});
  answer.refuse({AnswerCode::no_suitable_queues_for_reservation, {}});
  EXPECT_EQ(plus::troubles_of(answer),
            (std::vector<std::string>{"no further node has more than 2 slots free in this time",
                                      "not enough nodes: requested 1, available 0"}));
}

// One wording file: no words of Grid Engine about reservations in what these commands can say.
TEST(GivenAStatement, WhenItIsAboutAReservationThenPlusCallsItR7) {
  const ReservationNumber r7{7};
  EXPECT_EQ(
      plus::text_of({AnswerCode::fewer_nodes_after_start, {{"reservation", r7}, {"nodes", 2}}}),
      "R7 has begun: it keeps its 2 nodes");
  for (const auto code :
       {AnswerCode::key_needed, AnswerCode::key_is_invalid, AnswerCode::key_for_another,
        AnswerCode::proof_is_invalid, AnswerCode::challenge_is_unknown,
        AnswerCode::reservation_has_no_key, AnswerCode::site_did_not_agree,
        AnswerCode::owner_not_admitted, AnswerCode::exceeds_reservation,
        AnswerCode::longer_than_reservation, AnswerCode::begins_too_late,
        AnswerCode::not_part_of_series, AnswerCode::share_of_reservation}) {
    const auto text = plus::text_of({code, {{"reservation", r7}}});
    EXPECT_NE(text.find("R7"), std::string::npos) << text;
    EXPECT_EQ(text.find("advance"), std::string::npos) << text;
  }
}

TEST(GivenAGrant, WhenItIsPutInWordsThenOnlyItsWarningsAreSaid) {
  Answer answer;
  answer.say({AnswerCode::reservation_granted, {{"reservation", ReservationNumber{1}}}});
  EXPECT_TRUE(plus::troubles_of(answer).empty());
  answer.warn(Statement::said("two\nlines"));
  EXPECT_EQ(plus::troubles_of(answer), std::vector<std::string>{"two lines"});
}

// plus.md section 4 rule 5: an operator is told the same
TEST(GivenARefusalOfNodes, WhenItIsAboutACommitThenItDoesNotSpeakOfTheOwner) {
  const Statement refused{AnswerCode::no_right_to_settle,
                          {{"user", "opal"}, {"reservation", ReservationNumber{7}}}};
  EXPECT_EQ(plus::text_of(refused), "the operation on R7 is somebody else's: \"opal\" is neither "
                                    "who asked for it nor manager");
}

// P2.16, P2.17
TEST(GivenARefusalOfNodes, WhenItIsAboutARequestThenItDoesNotSpeakOfJobs) {
  EXPECT_EQ(plus::text_of({AnswerCode::unknown_queue, {{"queue", "no.q"}}}),
            "there is no queue \"no.q\"");
  EXPECT_EQ(plus::text_of({AnswerCode::slots_requested, {{"kind", "advance_reservation"}}}),
            "slots are asked for with -sn, not with -l");
}
