// What becomes of a decided co-allocation where a site does not simply take the COMMIT
// (docs/spec/metascheduler.md M5.4, M5.7, M5.9), and of sites that answer something else.
#include "core/coallocation/coallocation.hpp"

#include <gtest/gtest.h>

namespace almanac {
namespace {

constexpr std::int64_t start_ms = 1'700'000'000'000;
constexpr std::int64_t hour_ms = 3'600'000;

SiteAnswer said(const std::string& line) {
  auto answer = AnswerReader().take(line);
  return answer && *answer ? **answer : SiteAnswer{-9999, {}, {}};
}

CoallocationPlan plan_of_two() {
  CoallocationPlan plan;
  plan.sites = {{"alpha", "ann", "NODES=1"}, {"beta", "bob", "NODES=1"}};
  plan.duration = Duration{4 * 3600};
  return plan;
}

// It was decided to commit R14 at alpha and R3 at beta; then the coordinator was stopped. Beta's
// clock is seven seconds ahead.
class TwoDecided : public testing::Test {
protected:
  explicit TwoDecided(CoallocationVerdict verdict = CoallocationVerdict::commit)
      : machine(plan_of_two(), record(verdict), 5) {
    step = machine.begin(now);
  }

  static CoallocationRecord record(CoallocationVerdict verdict) {
    return {"t77",
            1,
            verdict,
            {{"alpha", Instant{1700000200}, "R14", "v1.a", {}},
             {"beta", Instant{1700000200}, "R3", "v1.b", Duration{7}}}};
  }
  // The one line that is sent after this answer; nothing: none, or several.
  std::string after(std::size_t site, const std::string& answer) {
    step = machine.answered(site, said(answer), now);
    return only_line();
  }
  std::string only_line() const {
    return step.requests.size() == 1 ? step.requests[0].line : std::string();
  }
  std::string after_a_while() {
    now = machine.wake_at_ms();
    step = machine.time_passed(now);
    return only_line();
  }

  std::int64_t now = start_ms + 2 * hour_ms;
  Coallocation machine;
  CoallocationStep step;
};

// M5.7, M5.9: a site remembers for an hour how a transaction ended (M5.8).
TEST_F(TwoDecided, WhenSitesHaveForgottenTheCommitThenStatusTellsThatItStands) {
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(after(0, "SC=-42;MSG=hold expired or aborted"), "STATUS USER=ann;RESID=R14");
  EXPECT_EQ(after(1, "SC=-42"), "STATUS USER=bob;RESID=R3");
  EXPECT_EQ(after(0, "SC=0;STATE=RUNNING;STARTTIME=1700000200;ENDTIME=1700014600;NODES=1"), "");
  EXPECT_EQ(after(1, "SC=0;STATE=WAITING;STARTTIME=1700000207;ENDTIME=1700014607;NODES=1"), "");
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::all);
  EXPECT_EQ(machine.outcome().sites[1].grant.key, "v1.b");
  EXPECT_EQ(machine.outcome().sites[1].trouble, "");
}

TEST_F(TwoDecided, WhenOneHasForgottenTheCommitAndOneHasLostItsHoldThenTheFirstIsReleased) {
  EXPECT_EQ(after(0, "SC=-42"), "STATUS USER=ann;RESID=R14");
  after(1, "SC=-42;MSG=hold expired or aborted");
  after(0, "SC=0;STATE=ENDING;STARTTIME=1700000200");
  step = machine.answered(1, said("SC=-40;MSG=unknown reservation"), now);
  ASSERT_TRUE(step.record);
  EXPECT_EQ(step.record->verdict, CoallocationVerdict::release);
  step = machine.written(now);
  EXPECT_EQ(only_line(), "RELEASE USER=ann;RESID=R14");
  after(0, "SC=0;STATE=RELEASED");
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::mixed);
  EXPECT_EQ(machine.outcome().why, "beta: hold expired or aborted (SC=-42)");
}

TEST_F(TwoDecided, WhenStatusIsAboutSomethingElseThenItIsLost) {
  after(0, "SC=0;STATE=COMMITTED");
  for (const std::string answer :
       {"SC=0;STATE=WAITING;STARTTIME=1700000200", "SC=0;STATE=CANCELED;STARTTIME=1700000207",
        "SC=0;STATE=EXPIRED;STARTTIME=1700000207", "SC=-21;MSG=not allowed to act for user"}) {
    Coallocation other(plan_of_two(), record(CoallocationVerdict::commit), 5);
    other.begin(now);
    other.answered(0, said("SC=0;STATE=COMMITTED"), now);
    other.answered(1, said("SC=-40"), now);
    const auto last = other.answered(1, said(answer), now);
    ASSERT_TRUE(last.record) << answer;
    EXPECT_EQ(last.record->verdict, CoallocationVerdict::release) << answer;
  }
}

// As of a site that is busy, and of one that cannot be reached.
TEST_F(TwoDecided, WhenStatusIsNotAnsweredThenItIsAskedAgain) {
  after(0, "SC=0;STATE=COMMITTED");
  after(1, "SC=-42");
  for (int i = 0; i < 100; ++i) {
    if (i % 2 == 0) after(1, "SC=-60;RETRYAFTER=5");
    else machine.silent(1, "no answer came", now);
    EXPECT_EQ(after_a_while(), "STATUS USER=bob;RESID=R3");
  }
  after(1, "SC=0;STATE=WAITING;STARTTIME=1700000207");
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::all);
}

TEST_F(TwoDecided, WhenItIsStillHeldThenItIsCommittedOnceMore) {
  after(0, "SC=0;STATE=COMMITTED");
  after(1, "SC=-42");
  EXPECT_EQ(after(1, "SC=0;STATE=HELD;STARTTIME=1700000207;HOLDUNTIL=1700000207"), "");
  EXPECT_EQ(after_a_while(), "COMMIT USER=bob;RESID=R3;TXID=t77.1.1");
  after(1, "SC=0;STATE=COMMITTED");
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::all);
}

TEST_F(TwoDecided, WhenASiteContradictsItselfForEverThenItIsLost) {
  after(0, "SC=0;STATE=COMMITTED");
  for (int i = 0; i < 100 && !step.record; ++i) {
    after(1, "SC=-42");
    after(1, "SC=0;STATE=HELD;STARTTIME=1700000207");
    if (!step.record) after_a_while();
  }
  ASSERT_TRUE(step.record);
  EXPECT_EQ(step.record->verdict, CoallocationVerdict::release);
}

TEST_F(TwoDecided, WhenAllIsOverAndForgottenThenTheEndSaysThatNobodyKnows) {
  now = start_ms + 24 * hour_ms;
  for (const std::size_t site : {0U, 1U}) {
    after(site, "SC=-42");
    after(site, "SC=-40");
  }
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::none);
  EXPECT_EQ(machine.outcome().why,
            "alpha: its time is over, and nobody knows whether it was committed: (SC=-42)");
}

// M5.4: a refusal is an answer.
TEST_F(TwoDecided, WhenASiteRefusesToCommitThenTheOtherIsReleased) {
  after(0, "SC=0;STATE=COMMITTED");
  EXPECT_EQ(after(1, "SC=-21;MSG=not allowed to act for user"), "STATUS USER=bob;RESID=R3");
  step = machine.answered(1, said("SC=0;STATE=HELD;STARTTIME=1700000207"), now);
  ASSERT_TRUE(step.record);
  EXPECT_EQ(step.record->verdict, CoallocationVerdict::release);
  step = machine.written(now);
  EXPECT_EQ(only_line(), "RELEASE USER=ann;RESID=R14");
  after(0, "SC=0;STATE=RELEASED");
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::mixed);
  EXPECT_EQ(machine.outcome().why, "beta: not allowed to act for user (SC=-21)");
  EXPECT_EQ(machine.outcome().sites[1].state, SiteState::lost);
}

// M6.17: with gmeta_require_key RELEASE of a reservation that has a key is refused with -51.
TEST_F(TwoDecided, WhenASiteRefusesToReleaseThenItIsToldThatItStaysReserved) {
  after(0, "SC=0;STATE=COMMITTED");
  after(1, "SC=-42;MSG=hold expired or aborted");
  step = machine.answered(1, said("SC=-40"), now);
  ASSERT_TRUE(step.record);
  step = machine.written(now);
  EXPECT_EQ(only_line(), "RELEASE USER=ann;RESID=R14");
  EXPECT_EQ(after(0, "SC=-60"), "");
  EXPECT_EQ(after_a_while(), "RELEASE USER=ann;RESID=R14");
  after(0, "SC=-51;MSG=key invalid");
  ASSERT_TRUE(machine.is_over());
  const auto outcome = machine.outcome();
  EXPECT_EQ(outcome.end, CoallocationEnd::mixed);
  EXPECT_EQ(outcome.why, "beta: hold expired or aborted (SC=-42); "
                         "alpha: it stays reserved: key invalid (SC=-51)");
  EXPECT_EQ(outcome.sites[0].state, SiteState::committed);
  EXPECT_EQ(outcome.sites[0].trouble, "it stays reserved: key invalid (SC=-51)");
  EXPECT_EQ(outcome.sites[0].grant.reservation, "R14");
  EXPECT_EQ(outcome.sites[0].grant.key, "v1.a");
}

class TwoToBeReleased : public TwoDecided {
protected:
  TwoToBeReleased() : TwoDecided(CoallocationVerdict::release) {}
};

TEST_F(TwoToBeReleased, WhenItIsTakenUpThenARefusalToReleaseEndsItToo) {
  EXPECT_EQ(after(0, "SC=0;STATE=COMMITTED"), "RELEASE USER=ann;RESID=R14");
  after(0, "SC=-51;MSG=key invalid");
  after(1, "SC=-42");
  after(1, "SC=-40");
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::mixed);
  EXPECT_EQ(machine.outcome().sites[0].state, SiteState::committed);
}

// ---- sites that answer something else -----------------------------------------------------------

// As one that answers each line twice: what comes is the answer to the line before.
TEST_F(TwoDecided, WhenTheAnswerToCommitIsThatOfAHoldThenItDoesNotCount) {
  after(0, "SC=0;STATE=COMMITTED");
  EXPECT_EQ(after(1, "SC=0;SETRES=1;RESID=R3;HOLDUNTIL=1700000121"), "STATUS USER=bob;RESID=R3");
  EXPECT_EQ(after(1, "SC=0;STATE=COMMITTED"), "");
  EXPECT_EQ(after_a_while(), "STATUS USER=bob;RESID=R3");
  after(1, "SC=0;STATE=WAITING;STARTTIME=1700000207");
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::all);
}

TEST_F(TwoDecided, WhenNoAnswerMakesSenseThenTheEndComesNevertheless) {
  after(0, "SC=0;STATE=COMMITTED");
  for (int i = 0; i < 100 && !step.record; ++i) {
    after(1, "SC=0");
    if (step.requests.empty() && !step.record) after_a_while();
  }
  ASSERT_TRUE(step.record);
  step = machine.written(now);
  for (int i = 0; i < 100 && !machine.is_over(); ++i) {
    after(0, "SC=0");
    if (!machine.is_over()) after_a_while();
  }
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::mixed);
  EXPECT_EQ(machine.outcome().sites[0].state, SiteState::committed);
  EXPECT_EQ(machine.outcome().sites[0].trouble,
            "it may stay reserved: its answer to RELEASE makes no sense");
}

// M3.37
TEST(GivenASiteThatAnswersSomethingElse, WhenRangesWereAskedForThenItIsSaid) {
  for (const std::string answer : {"SC=0", "SC=0;SITE=beta;VERSION=1;NOW=1700000000"}) {
    Coallocation machine(plan_of_two(), "t77", 5);
    machine.begin(start_ms);
    machine.answered(0, said("SC=0;NOW=1700000000"), start_ms);
    machine.answered(1, said("SC=0;NOW=1700000000"), start_ms);
    machine.answered(0, said("SC=0;COUNT=0"), start_ms);
    machine.answered(1, said(answer), start_ms);
    ASSERT_TRUE(machine.is_over()) << answer;
    EXPECT_EQ(machine.outcome().end, CoallocationEnd::none);
    EXPECT_EQ(machine.outcome().why, "beta: its answer makes no sense: COUNT is missing");
  }
}

// ---- one lost COMMIT ----------------------------------------------------------------------------

// M5.5: the hold lasts for as long as it takes to ask again, also at the earliest start there is.
TEST(GivenTheUsualSettings, WhenACommitIsLostThenItsRepetitionComesBeforeTheHoldEnds) {
  const auto plan = plan_of_two();
  Coallocation machine(plan, "t77", 5);
  auto now = start_ms;
  machine.begin(now);
  const auto both = [&](const SiteAnswer& answer) {
    machine.answered(0, answer, now);
    return machine.answered(1, answer, now);
  };
  both(said("SC=0;NOW=1700000000"));
  SiteAnswer free;
  free.first = {{"COUNT", "1"}};
  free.others = {{{"STIME", "1700000000"}, {"ENDSTIME", "1700086400"}}};
  auto step = both(free);
  ASSERT_TRUE(step.record);
  const auto start = step.record->sites[0].start;
  machine.written(now);
  step = both(said("SC=0;SETRES=1;RESID=R1;HOLDUNTIL=" + std::to_string(start.seconds)));
  ASSERT_TRUE(step.record);
  machine.written(now);
  machine.answered(0, said("SC=0;STATE=COMMITTED"), now);
  now += plan.answer_within.seconds * 1000;
  machine.silent(1, "no answer came", now);
  now = machine.wake_at_ms();
  step = machine.time_passed(now);
  ASSERT_EQ(step.requests.size(), 1U);
  EXPECT_EQ(step.requests[0].line, "COMMIT USER=bob;RESID=R1;TXID=t77.1.1");
  EXPECT_LT(now / 1000 + plan.answer_within.seconds, start.seconds);
}

} // namespace
} // namespace almanac
