// Answers in the words of metaschedulers (spec/metascheduler.md section 8).
#include "core/answer/ggf.hpp"
#include "core/request/site_line.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace almanac;

TEST(GivenAnAnswer, WhenItIsGoodThenTheStatusIsZero) {
  Answer answer;
  answer.say({AnswerCode::change_was_aborted, {}});
  EXPECT_EQ(ggf::status_of(answer), ggf::Status());
}

// M8.11 M8.12 M8.23: the last refusal is what matters.
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

// M8.25: whatever an answer has in its details, MSG is one of the texts of section 8, perhaps with the name
// of a token.
TEST(GivenAnAnswerOfAnyKind, WhenItIsFullOfNamesThenTheMessageHasNoneOfThem) {
  const std::string secret = "secret17";
  std::set<std::int64_t> codes;
  const auto look = [&](AnswerCode code) {
    const auto said = Statement::said(secret);
    const Statement full{code,
                         {{"user", secret},
                          {"owner", secret},
                          {"holders", secret},
                          {"job", secret},
                          {"reservation", secret},
                          {"subject", secret},
                          {"why", said},
                          {"what", said}}};
    for (const auto& statement :
         {full, Statement{AnswerCode::unable_to_run_job, {{"why", full}}}}) {
      auto answer = Answer::refusal(statement);
      answer.warn(full);
      const auto status = ggf::status_of(answer);
      EXPECT_EQ(status.message.find(secret), std::string::npos) << status.message;
      const auto text = ggf::status(status.code).message;
      EXPECT_EQ(status.message.substr(0, text.size()), text);
      for (const char c : status.message.substr(text.size()))
        EXPECT_TRUE(c == ' ' || (c >= 'A' && c <= 'Z')) << status.message;
      codes.insert(status.code);
    }
  };
#define CODE(name) look(AnswerCode::name);
#include "core/answer/codes.def"
#undef CODE
  // -10 to -12, -14 are of lines that are not read, -62 of the port.
  EXPECT_EQ(codes, (std::set<std::int64_t>{-61, -60, -53, -52, -51, -43, -42, -41, -40, -33, -32,
                                           -31, -30, -23, -22, -21, -20, -13}));
}

// M8.1 to M8.24
TEST(GivenTheStatusCodes, WhenTheyAreSaidThenEachHasItsText) {
  std::string all;
  for (const std::int64_t code : {-10, -11, -12, -13, -14, -20, -21, -22, -23, -30, -31, -32,
                                  -33, -40, -41, -42, -43, -51, -52, -53, -60, -61, -62})
    all += std::to_string(code) + " " + ggf::status(code).message + "\n";
  EXPECT_EQ(all, "-10 syntax\n-11 unknown token\n-12 missing token\n-13 bad value for\n"
                 "-14 unknown verb\n-20 not authenticated\n-21 not allowed to act for user\n"
                 "-22 user not allowed to reserve\n-23 over reservation allowance\n"
                 "-30 no capacity at that time\n-31 can never run\n-32 outside horizon\n"
                 "-33 reservation in RESACCESS unknown or not yours\n-40 unknown reservation\n"
                 "-41 operation pending\n-42 hold expired or aborted\n-43 wrong state\n"
                 "-51 key invalid\n-52 proof invalid\n-53 challenge unknown, used or expired\n"
                 "-60 busy, try later\n-61 internal\n-62 shutting down\n");
}

// M8.7: who is not believed where he asks is not authenticated.
TEST(GivenAnAnswer, WhenTheCallerIsNotBelievedThenHeIsNotAuthenticated) {
  for (const auto code : {AnswerCode::neither_submit_nor_admin_host, AnswerCode::no_submit_host,
                          AnswerCode::account_of_the_system, AnswerCode::squashed_user})
    EXPECT_EQ(ggf::status_of(Answer::refusal({code, {{"host", "n9"}}})),
              (ggf::Status{-20, "not authenticated"}));
}

// M8.19 M8.20 M8.21 M8.22: what is wrong with a claim, also where a job was to come of it.
TEST(GivenAnAnswer, WhenItIsAboutAKeyThenTheStatusSaysWhatIsWrongWithIt) {
  const auto code_of = [](AnswerCode code) {
    return ggf::status_of(Answer::refusal({code, {{"reservation", 7}}})).code;
  };
  EXPECT_EQ(code_of(AnswerCode::key_is_invalid), -51);
  EXPECT_EQ(code_of(AnswerCode::key_for_another), -51);
  EXPECT_EQ(code_of(AnswerCode::key_needed), -51);
  EXPECT_EQ(code_of(AnswerCode::proof_is_invalid), -52);
  EXPECT_EQ(code_of(AnswerCode::challenge_is_unknown), -53);
  EXPECT_EQ(code_of(AnswerCode::too_many_challenges), -60);
  EXPECT_EQ(code_of(AnswerCode::reservation_has_no_key), -43);
  const Statement why{AnswerCode::proof_is_invalid, {{"reservation", 7}}};
  EXPECT_EQ(ggf::status_of(Answer::refusal({AnswerCode::unable_to_run_job, {{"why", why}}})),
            (ggf::Status{-52, "proof invalid"}));
  const auto said = Statement::said("of bob");
  EXPECT_EQ(ggf::status_of(Answer::refusal({AnswerCode::unable_to_run_job, {{"why", said}}})),
            (ggf::Status{-31, "can never run"}));
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

// M8.1 to M8.24, one after the other: M8.7, M8.23, M8.24
TEST(GivenAStatus, WhenItIsToldThenItsMessageIsThatOfTheTable) {
  const std::vector<std::pair<std::int64_t, std::string>> table{
      {-10, "syntax"},
      {-11, "unknown token X"},
      {-12, "missing token X"},
      {-13, "bad value for X"},
      {-14, "unknown verb"},
      {-20, "not authenticated"},
      {-21, "not allowed to act for user"},
      {-22, "user not allowed to reserve"},
      {-23, "over reservation allowance"},
      {-30, "no capacity at that time"},
      {-31, "can never run"},
      {-32, "outside horizon"},
      {-33, "reservation in RESACCESS unknown or not yours"},
      {-40, "unknown reservation"},
      {-41, "operation pending"},
      {-42, "hold expired or aborted"},
      {-43, "wrong state"},
      {-51, "key invalid"},
      {-52, "proof invalid"},
      {-53, "challenge unknown, used or expired"},
      {-60, "busy, try later"},
      {-61, "internal"},
      {-62, "shutting down"}};
  EXPECT_EQ(ggf::status(0), ggf::Status());
  for (const auto& [code, message] : table) {
    const auto token = message.ends_with(" X") ? "X" : "";
    EXPECT_EQ(ggf::status(code, token), (ggf::Status{code, message}));
  }
  EXPECT_EQ(ggf::status(-99).message, "internal") << "there is no such code";
}

// M11.3: each is said of a line or of what the master answers, but -62, which is the port's own.
TEST(GivenEachAnswer, WhenItsStatusIsTakenThenAllCodesOfTheTableAreReached) {
  std::set<std::int64_t> reached;
  for (int code = 0; code <= static_cast<int>(last_of<AnswerCode>); ++code)
    reached.insert(ggf::status_of(Answer::refusal({static_cast<AnswerCode>(code), {}})).code);
  for (const auto* line : {"", "HELLO COLOUR=red", "STATUS", "DANCE"})
    reached.insert(parse_site_line(line).refusal->status);
  EXPECT_EQ(reached,
            (std::set<std::int64_t>{-10, -11, -12, -13, -14, -20, -21, -22, -23, -30, -31,
                                    -32, -33, -40, -41, -42, -43, -51, -52, -53, -60, -61}));
}
