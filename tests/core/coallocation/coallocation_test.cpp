#include "core/coallocation/coallocation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

namespace almanac {
namespace {

constexpr std::int64_t start_ms = 1'700'000'000'000;

SiteAnswer said(const std::string& line) {
  auto answer = AnswerReader().take(line);
  return answer && *answer ? **answer : SiteAnswer{-9999, {}, {}};
}

SiteAnswer one_range(std::int64_t first, std::int64_t last) {
  SiteAnswer answer;
  answer.first = {{"COUNT", "1"}};
  answer.others.push_back({{"STIME", std::to_string(first)}, {"ENDSTIME", std::to_string(last)}});
  return answer;
}

// Two sites that are free from 1700000200 on, up to the moment where both were asked to hold.
class TwoSites : public testing::Test {
protected:
  TwoSites() : machine(plan(), "t77", 5) {}

  static CoallocationPlan plan() {
    CoallocationPlan plan;
    plan.sites = {{"alpha", "ann", "nodes=2;SLOTS=4;L=attr:x;"}, {"beta", "bob", "NODES=1"}};
    plan.duration = Duration{7200};
    plan.with = "NAME=both";
    return plan;
  }
  void both(const SiteAnswer& answer) {
    machine.answered(0, answer, now);
    step = machine.answered(1, answer, now);
  }
  void reach_holding() {
    step = machine.begin(now);
    both(said("SC=0;NOW=1700000000"));
    both(one_range(1700000200, 1700000300));
    ASSERT_TRUE(step.record);
    EXPECT_EQ(step.record->verdict, CoallocationVerdict::undecided);
    step = machine.written(now);
  }
  void reach_committing() {
    reach_holding();
    both(said("SC=0;SETRES=1;RESID=R14;RESKEY=v1.QA;HOLDUNTIL=1700000121"));
    ASSERT_TRUE(step.record);
    EXPECT_EQ(step.record->verdict, CoallocationVerdict::commit);
    step = machine.written(now);
  }

  Coallocation machine;
  CoallocationStep step;
  std::int64_t now = start_ms;
};

TEST_F(TwoSites, WhenAllGoesWellThenTheLinesAreThoseOfTheProtocol) {
  step = machine.begin(now);
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(step.requests[0].line, "HELLO USER=ann");
  step = machine.answered(0, said("SC=0;NOW=1700000000"), now);
  ASSERT_EQ(step.requests.size(), 1U);
  EXPECT_EQ(
      step.requests[0].line,
      "RESQUERY USER=ann;TIMENEEDED=7200S;NODES=2;SLOTS=4;L=attr\\:x;TIMESPEC=EARLIEST=1700000121;"
      "MAXRANGES=256");
  machine.answered(1, said("SC=0;NOW=1700000000"), now);
  both(one_range(1700000200, 1700000300));
  ASSERT_TRUE(step.record && step.requests.empty());
  step = machine.written(now);
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(
      step.requests[1].line,
      "SETRES "
      "USER=bob;TIMENEEDED=7200S;NODES=1;STARTTIME=1700000200;NAME=both;HOLD=120;TXID=t77.1.1");
  both(said("SC=0;SETRES=1;RESID=R14;RESKEY=v1.QA;HOLDUNTIL=1700000121"));
  ASSERT_TRUE(step.record && step.requests.empty());
  EXPECT_EQ(step.record->sites[1], (SiteGrant{"beta", Instant{1700000200}, "R14", "v1.QA", {}}));
  step = machine.written(now);
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(step.requests[0].line, "COMMIT USER=ann;RESID=R14;TXID=t77.1.0");
  both(said("SC=0;STATE=COMMITTED"));
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::all);
}

// M5.6
TEST_F(TwoSites, WhenTheHoldsEndTooSoonThenNothingIsCommitted) {
  reach_holding();
  both(said("SC=0;SETRES=1;RESID=R14;HOLDUNTIL=1700000010"));
  ASSERT_TRUE(step.record);
  EXPECT_EQ(step.record->verdict, CoallocationVerdict::abort);
  step = machine.written(now);
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(step.requests[0].line, "ABORT USER=ann;RESID=R14;TXID=t77.1.0");
}

// M5.6: it takes until then to write the decision down.
TEST_F(TwoSites, WhenTheDecisionIsDurableTooLateThenNothingIsCommitted) {
  reach_holding();
  both(said("SC=0;SETRES=1;RESID=R14;HOLDUNTIL=1700000121"));
  ASSERT_TRUE(step.record);
  step = machine.written(start_ms + 112'000);
  ASSERT_TRUE(step.record);
  EXPECT_EQ(step.record->verdict, CoallocationVerdict::abort);
}

// M5.7
TEST_F(TwoSites, WhenASiteHasLostItsHoldAfterTheDecisionThenTheOtherIsReleasedAndTheEndIsMixed) {
  reach_committing();
  machine.answered(0, said("SC=0;STATE=COMMITTED"), now);
  step = machine.answered(1, said("SC=-42;MSG=hold expired or aborted"), now);
  ASSERT_EQ(step.requests.size(), 1U);
  EXPECT_EQ(step.requests[0].line, "STATUS USER=bob;RESID=R14");
  step = machine.answered(1, said("SC=-40;MSG=unknown reservation"), now);
  ASSERT_TRUE(step.record);
  EXPECT_EQ(step.record->verdict, CoallocationVerdict::release);
  step = machine.written(now);
  ASSERT_EQ(step.requests.size(), 1U);
  EXPECT_EQ(step.requests[0].line, "RELEASE USER=ann;RESID=R14");
  machine.answered(0, said("SC=0;STATE=RELEASED"), now);
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::mixed);
  EXPECT_EQ(machine.outcome().why, "beta: hold expired or aborted (SC=-42)");
}

TEST_F(TwoSites, WhenBothHaveLostTheirHoldsAfterTheDecisionThenTheEndIsNone) {
  reach_committing();
  both(said("SC=-42"));
  both(said("SC=-40"));
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::none);
}

// M5.4: retry for ever until answered.
TEST_F(TwoSites, WhenACommitIsNotAnsweredThenItIsSentAgainForEver) {
  reach_committing();
  machine.answered(0, said("SC=0;STATE=COMMITTED"), now);
  for (int i = 0; i < 200; ++i) {
    machine.silent(1, "no answer came", now);
    const auto wake = machine.wake_at_ms();
    ASSERT_TRUE(wake > now && wake <= now + 45'000) << i;
    EXPECT_TRUE(machine.time_passed(wake - 1).requests.empty());
    now = wake;
    step = machine.time_passed(now);
    ASSERT_EQ(step.requests.size(), 1U);
    EXPECT_EQ(step.requests[0].line, "COMMIT USER=bob;RESID=R14;TXID=t77.1.1");
  }
  machine.answered(1, said("SC=-60;RETRYAFTER=5"), now);
  EXPECT_FALSE(machine.is_over());
  machine.time_passed(now += 60'000);
  machine.answered(1, said("SC=0;STATE=COMMITTED"), now);
  EXPECT_TRUE(machine.is_over());
}

// M5.8
TEST_F(TwoSites, WhenTheAnswerToAHoldIsLostThenTheSameLineIsSentAgainOnce) {
  reach_holding();
  const auto line = step.requests[0].line;
  machine.answered(1, said("SC=0;SETRES=1;RESID=R3;HOLDUNTIL=1700000121"), now);
  machine.silent(0, "no answer came", now);
  step = machine.time_passed(now += 1000);
  ASSERT_EQ(step.requests.size(), 1U);
  EXPECT_EQ(step.requests[0].line, line);
  step = machine.silent(0, "no answer came", now);
  ASSERT_TRUE(step.record);
  step = machine.written(now);
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(step.requests[0].line, line);
  EXPECT_EQ(step.requests[1].line, "ABORT USER=bob;RESID=R3;TXID=t77.1.1");
  step = machine.answered(0, said("SC=0;SETRES=1;RESID=R14;HOLDUNTIL=1700000121"), now);
  ASSERT_EQ(step.requests.size(), 1U);
  EXPECT_EQ(step.requests[0].line, "ABORT USER=ann;RESID=R14;TXID=t77.1.0");
}

// M5.4: what is unknown is aborted, too. A master that went away while it held is busy to its clients.
TEST_F(TwoSites, WhenASiteIsTooBusyToSayWhetherItHoldsThenThatIsFoundOutAndAborted) {
  reach_holding();
  const auto line = step.requests[1].line;
  machine.answered(0, said("SC=0;SETRES=1;RESID=R14;HOLDUNTIL=1700000121"), now);
  step = machine.answered(1, said("SC=-60;SETRES=0;MSG=busy, try later;RETRYAFTER=10"), now);
  ASSERT_TRUE(step.record);
  EXPECT_EQ(step.record->verdict, CoallocationVerdict::abort);
  step = machine.written(now);
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(step.requests[0].line, "ABORT USER=ann;RESID=R14;TXID=t77.1.0");
  EXPECT_EQ(step.requests[1].line, line);
  step = machine.answered(1, said("SC=0;SETRES=1;RESID=R3;HOLDUNTIL=1700000121"), now);
  ASSERT_EQ(step.requests.size(), 1U);
  EXPECT_EQ(step.requests[0].line, "ABORT USER=bob;RESID=R3;TXID=t77.1.1");
}

// M5.9
TEST(GivenARecordWithoutADecision, WhenItIsTakenUpThenItsHoldsAreFoundAndAborted) {
  CoallocationPlan plan;
  plan.sites = {{"alpha", "ann", "NODES=1"}, {"beta", "ann", "NODES=1"}};
  plan.duration = Duration{60};
  const SiteGrant beta{"beta", Instant{1700000105}, "R9", "k", Duration{7}};
  Coallocation machine(plan,
                       {"t77",
                        3,
                        CoallocationVerdict::undecided,
                        {{"alpha", Instant{1700000100}, "", "", {}}, beta}},
                       1);
  auto step = machine.begin(start_ms);
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(step.requests[0].line,
            "SETRES USER=ann;TIMENEEDED=60S;NODES=1;STARTTIME=1700000100;HOLD=120;TXID=t77.3.0");
  EXPECT_EQ(step.requests[1].line, "ABORT USER=ann;RESID=R9;TXID=t77.3.1");
  machine.answered(1, said("SC=-42"), start_ms);
  machine.answered(0, said("SC=-30;SETRES=0"), start_ms);
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::none);
}

// M5.9
TEST(GivenARecordThatWasCommitted, WhenItIsTakenUpThenCommitIsRepeatedAndTheKeysAreStillThere) {
  CoallocationPlan plan;
  plan.sites = {{"alpha", "ann", "NODES=1"}, {"beta", "ann", "NODES=1"}};
  plan.duration = Duration{60};
  const std::vector<SiteGrant> grants{{"alpha", Instant{1700000100}, "R9", "v1.a", {}},
                                      {"beta", Instant{1700000105}, "R7", "v1.b", {}}};
  Coallocation machine(plan, {"t77", 3, CoallocationVerdict::commit, grants}, 1);
  const auto step = machine.begin(start_ms);
  ASSERT_EQ(step.requests.size(), 2U);
  EXPECT_EQ(step.requests[1].line, "COMMIT USER=ann;RESID=R7;TXID=t77.3.1");
  machine.answered(1, said("SC=0;STATE=COMMITTED"), start_ms);
  machine.answered(0, said("SC=0;STATE=COMMITTED"), start_ms);
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::all);
  EXPECT_EQ(machine.outcome().sites[0].grant, grants[0]);
}

// M5.4
TEST_F(TwoSites, WhenNobodyHasRoomThenAllIsPlannedThreeTimesAgainAfterOneTwoAndFourSeconds) {
  step = machine.begin(now);
  for (const std::int64_t pause_ms : {1000, 2000, 4000}) {
    both(said("SC=0;NOW=" + std::to_string(now / 1000)));
    both(said("SC=0;COUNT=0"));
    const auto wake = machine.wake_at_ms();
    EXPECT_GE(wake - now, pause_ms / 2);
    EXPECT_LE(wake - now, pause_ms * 3 / 2);
    step = machine.time_passed(now = wake);
    ASSERT_EQ(step.requests.size(), 2U);
  }
  both(said("SC=0;NOW=" + std::to_string(now / 1000)));
  both(said("SC=0;COUNT=0"));
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().why, "there is no common start");
}

TEST_F(TwoSites, WhenASiteRefusesForGoodThenNothingIsTriedAgain) {
  step = machine.begin(now);
  machine.answered(0, said("SC=0;NOW=1700000000"), now);
  machine.answered(1, said("SC=-21;MSG=not allowed to act for user"), now);
  machine.answered(0, one_range(1700000200, 1700000300), now);
  ASSERT_TRUE(machine.is_over());
  EXPECT_EQ(machine.outcome().end, CoallocationEnd::none);
  EXPECT_EQ(machine.outcome().why, "beta: not allowed to act for user (SC=-21)");
}

// M5.3: half of the round trip of four seconds is taken into account.
TEST(GivenAClockThatDiffers, WhenItIsCheckedThenMoreThanTwoSecondsAreRefusedOrShifted) {
  const auto differs = [](std::int64_t clock, OddClock odd) {
    SitePart part;
    part.sent_ms = start_ms;
    const auto taken =
        take_greeting(part, said("SC=0;NOW=" + std::to_string(clock)), odd, start_ms + 4000);
    return taken ? std::to_string(part.shift.seconds) : taken.what();
  };
  const std::int64_t middle = start_ms / 1000 + 2;
  EXPECT_EQ(differs(middle, OddClock::refused), "0");
  EXPECT_EQ(differs(middle + 2, OddClock::refused), "0");
  EXPECT_EQ(differs(middle - 2, OddClock::refused), "0");
  EXPECT_EQ(differs(middle + 3, OddClock::refused), "its clock is 3 s ahead");
  EXPECT_EQ(differs(middle - 4, OddClock::refused), "its clock is 4 s behind");
  EXPECT_EQ(differs(middle - 100, OddClock::refused), "its clock is 100 s behind");
  EXPECT_EQ(differs(middle - 100, OddClock::shifted), "-100");
  EXPECT_EQ(differs(middle + 3, OddClock::shifted), "3");
}

TEST(GivenASiteWhoseClockIsShifted, WhenItIsAskedThenItsTimesAreItsOwn) {
  CoallocationPlan plan;
  plan.sites = {{"alpha", "ann", "NODES=1"}, {"beta", "ann", "NODES=1"}};
  plan.duration = Duration{60};
  plan.odd_clock = OddClock::shifted;
  Coallocation machine(plan, "x", 1);
  machine.begin(start_ms);
  machine.answered(0, said("SC=0;NOW=1700000000"), start_ms);
  const auto asked = machine.answered(1, said("SC=0;NOW=1700001000"), start_ms);
  EXPECT_NE(asked.requests.at(0).line.find("EARLIEST=1700001121"), std::string::npos);
  machine.answered(0, one_range(1700000200, 1700000300), start_ms);
  machine.answered(1, one_range(1700001250, 1700001300), start_ms);
  const auto holds = machine.written(start_ms);
  EXPECT_NE(holds.requests.at(0).line.find("STARTTIME=1700000250"), std::string::npos);
  EXPECT_NE(holds.requests.at(1).line.find("STARTTIME=1700001250"), std::string::npos);
}

CoallocationPlan short_plan() {
  CoallocationPlan plan;
  plan.sites = {{"s0", "ann", "NODES=2"}, {"s1", "ann", "NODES=2"}};
  plan.duration = Duration{20};
  plan.latest = Instant{start_ms / 1000 + 400};
  plan.answer_within = Duration{5}, plan.margin = Duration{4}, plan.hold = Duration{25};
  return plan;
}

// An answer that suits whatever was asked; its state is any.
SiteAnswer anything_good(Chance& chance, std::int64_t now_ms) {
  constexpr std::array states{"COMMITTED", "RELEASED", "HELD", "WAITING", "CANCELED", ""};
  const auto now = now_ms / 1000;
  const auto state = chance.up_to(static_cast<std::int64_t>(states.size()) - 1);
  auto answer = one_range(now + 60 + chance.up_to(1) * 200, now + 86400);
  for (const auto& [name, value] :
       {Attribute{"NOW", std::to_string(now)}, Attribute{"RESID", "R1"},
        Attribute{"HOLDUNTIL", std::to_string(now + 200)},
        Attribute{"STARTTIME", std::to_string(start_ms / 1000 + 121 + chance.up_to(1))},
        Attribute{"STATE", states[static_cast<std::size_t>(state)]}})
    answer.first.push_back({name, value});
  return answer;
}

// Sites are strangers: nothing that they say ends the coordinator, and it comes to an end.
TEST(GivenSitesThatAnswerAnything, WhenACoallocationRunsThenItEnds) {
  const std::vector<std::string> answers{"SC=0",
                                         "SC=0;NOW=1700000000",
                                         "SC=0;NOW=-1",
                                         "SC=0;NOW=99999999999999999",
                                         "SC=-30",
                                         "SC=-60",
                                         "SC=-42",
                                         "SC=0;SETRES=1;RESID=R1;HOLDUNTIL=1700000121",
                                         "SC=0;RESID=x",
                                         "SC=0;RESID=R99999999999999999999",
                                         "SC=0;RESID=R1;HOLDUNTIL=253402300799",
                                         "SC=-9999",
                                         "SC=0;STATE=COMMITTED",
                                         "SC=0;STATE=HELD;STARTTIME=1700000130",
                                         "SC=0;STATE=RELEASED",
                                         "SC=0;COUNT=0"};
  std::set<CoallocationEnd> ends;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Chance chance(seed);
    Coallocation machine(short_plan(), "x", seed);
    auto now = start_ms;
    std::vector<std::size_t> open;
    auto step = machine.begin(now);
    for (int i = 0; i < 3000 && !machine.is_over(); ++i) {
      if (step.record) {
        step = machine.written(now);
        continue;
      }
      for (const auto& request : step.requests) open.push_back(request.site);
      if (open.empty()) {
        ASSERT_NE(machine.wake_at_ms(), no_time_ms);
        now = std::max(now, machine.wake_at_ms());
        step = machine.time_passed(now);
        continue;
      }
      const auto site = open.back();
      open.pop_back();
      const auto roll = chance.up_to(9);
      if (roll == 0) step = machine.silent(site, "gone", now);
      else if (roll == 1)
        step = machine.answered(
            site, one_range(chance.up_to(1) * (now / 1000 + 60), Instant::never().seconds), now);
      else if (roll < 8) step = machine.answered(site, anything_good(chance, now), now);
      else
        step = machine.answered(site,
                                said(answers[static_cast<std::size_t>(
                                    chance.up_to(static_cast<std::int64_t>(answers.size()) - 1))]),
                                now);
    }
    ASSERT_TRUE(machine.is_over()) << "seed " << seed;
    ends.insert(machine.outcome().end);
  }
  EXPECT_EQ(ends.size(), 3U);
}

} // namespace
} // namespace almanac
