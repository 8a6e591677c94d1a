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

// M8.5, M8.23: whatever a line of a metascheduler can be refused with in a cell that is sound has a code
// of its own. These are what a refusal of the rules has that look at such requests; what is not here
// belongs to options that no line has, or is our own mistake.
TEST(GivenWhatARequestCanBeRefusedWith, WhenItsStatusIsTakenThenItIsNeverInternal) {
  using A = AnswerCode;
  for (const auto code :
       {// resources and places: core/matching
        A::unknown_resource, A::slots_requested, A::resource_not_requestable, A::ratio_without_rule,
        A::resource_value_malformed, A::amount_below_zero, A::unknown_hostname, A::unknown_queue,
        A::no_such_pe, A::not_enough_nodes, A::too_few_nodes_reservable, A::policy_is_unreadable,
        A::no_suitable_queues_for_reservation, A::fits_never, A::no_feasible_start,
        A::no_start_before,
        // times
        A::start_in_the_past, A::start_has_passed, A::end_in_the_past, A::ends_too_late,
        A::search_has_ended, A::starts_outside_horizon, A::over_before_commit,
        A::end_or_duration_missing,
        // who asks, and how much there may be: core/planning, core/policy
        A::arusers_needed, A::no_such_userset, A::no_such_user, A::no_such_project,
        A::no_access_to_project, A::project_needed, A::user_object_needed, A::uid_below_min_uid,
        A::gid_below_min_gid, A::too_many_jobs, A::too_many_jobs_of_user, A::job_rejected,
        A::rejected, A::too_many_reservations, A::too_many_reservations_of_user,
        A::too_many_slot_hours, A::reservations_over_allowance, A::node_hours_over_allowance,
        A::room_not_lent, A::not_for_other_users, A::subject_may_not_act, A::no_admin_host,
        A::no_port_of_metaschedulers, A::neither_submit_nor_admin_host, A::no_submit_host,
        A::account_of_the_system, A::squashed_user, A::unable_to_run_job,
        // reservations that are there
        A::no_such_reservation, A::operation_pending, A::nothing_held, A::change_was_aborted,
        A::change_was_committed, A::transaction_was_aborted, A::transaction_made_reservation,
        A::transaction_made_other_change, A::offer_ended, A::maintenance_by_plus,
        A::reservation_needed, A::nodes_are_fixed, A::fewer_nodes_after_start, A::denied,
        A::no_right_to_change_reservation, A::no_right_to_delete_reservation, A::no_right_to_settle,
        A::site_denied, A::site_did_not_agree, A::deleted_while_site_was_asked,
        // keys
        A::key_needed, A::key_is_invalid, A::key_for_another, A::proof_is_invalid,
        A::challenge_is_unknown, A::too_many_challenges, A::reservation_has_no_key}) {
    const Statement why{code, {{"why", Statement::said("something")}}};
    EXPECT_NE(ggf::status_of(Answer::refusal(why)).code, -61) << static_cast<int>(code);
    const auto inside = Answer::refusal({A::unable_to_run_job, {{"why", why}}});
    EXPECT_EQ(ggf::status_of(inside), ggf::status_of(Answer::refusal(why)));
  }
}

// M8.5: a client knows which token it has sent for the resource.
TEST(GivenAnAnswer, WhenAValueOfAResourceIsRefusedThenTheResourceIsKnown) {
  const Statement bad{AnswerCode::resource_value_malformed,
                      {{"resource", "gpu"}, {"why", Statement::said("it is no number")}}};
  EXPECT_EQ(ggf::status_of(Answer::refusal(bad)), (ggf::Status{-13, "bad value for RES"}));
  EXPECT_EQ(ggf::refused_resource(Answer::refusal(bad)), "gpu");
  const auto of_job = Answer::refusal({AnswerCode::unable_to_run_job, {{"why", bad}}});
  EXPECT_EQ(ggf::status_of(of_job), (ggf::Status{-13, "bad value for RES"}));
  EXPECT_EQ(ggf::refused_resource(of_job), "gpu");
  EXPECT_EQ(ggf::refused_resource(Answer::refusal({AnswerCode::fits_never, {}})), "");
  EXPECT_EQ(ggf::refused_resource({}), "");
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
