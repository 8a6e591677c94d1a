#include "core/coallocation/coallocation_plan.hpp"
#include "core/coallocation/coallocation_record.hpp"

#include <gtest/gtest.h>

namespace almanac {
namespace {

CoallocationPlan two_sites() {
  CoallocationPlan plan;
  plan.sites = {{"alpha", "ann", "NODES=2;SLOTS=4"}, {"beta", "bob", "NODES=1;"}};
  plan.duration = Duration{3600};
  return plan;
}

std::string refusal(CoallocationPlan plan) {
  const auto valid = valid_plan(plan);
  return valid ? "" : valid.what();
}

// M5.1, M5.2
TEST(GivenAPlan, WhenNothingElseIsSaidThenTheDefaultsHold) {
  const auto plan = two_sites();
  EXPECT_EQ(refusal(plan), "");
  EXPECT_EQ(plan.skew, Duration{0});
  EXPECT_EQ(plan.hold, Duration{120});
  EXPECT_TRUE(valid_new_plan(plan).ok());
  EXPECT_EQ(plan.tries, 8);
  EXPECT_EQ(plan.rounds, 3);
}

TEST(GivenAPlan, WhenItsSitesAreWrongThenItSaysSo) {
  auto plan = two_sites();
  plan.sites.pop_back();
  EXPECT_EQ(refusal(plan), "a plan has two to twenty sites, not 1");
  plan = two_sites();
  plan.sites[1].name = "alpha";
  EXPECT_EQ(refusal(plan), "two sites are called alpha");
  plan.sites[1].name = "b\neta";
  EXPECT_NE(refusal(plan), "");
  plan = two_sites();
  plan.sites[1].user = "";
  EXPECT_NE(refusal(plan), "");
  for (int i = 0; i < 19; ++i) plan.sites.push_back(plan.sites[0]);
  EXPECT_EQ(refusal(plan), "a plan has two to twenty sites, not 21");
}

TEST(GivenAPlan, WhenATokenIsTheCoordinatorsOwnThenItIsRefused) {
  for (const char* tokens : {"NODES=1;HOLD=5", "TXID=1", "user=root;NODES=1", "STARTTIME=NOW",
                             "nodes", "NODES=1\nSETRES", "", ";"}) {
    auto plan = two_sites();
    plan.sites[0].resources = tokens;
    EXPECT_NE(refusal(plan), "") << tokens;
  }
  auto plan = two_sites();
  plan.with = "NAME=both;PUBKEY=abc";
  EXPECT_EQ(refusal(plan), "");
  plan.with = "HOLD=0";
  EXPECT_NE(refusal(plan), "");
}

// M5.5
TEST(GivenAPlan, WhenTheHoldIsShorterThanThreeAnswersAndTheMarginThenItIsRefused) {
  auto plan = two_sites();
  plan.hold = Duration{100};
  EXPECT_EQ(refusal(plan), "");
  plan.hold = Duration{99};
  EXPECT_EQ(refusal(plan), "hold is at least three times answer_within, and margin: 100 s, not 99");
}

// M5.5: a hold ends at its start.
TEST(GivenAPlan, WhenTheLeadIsShorterThanAHoldMayBeThenItIsNotBegunButFinished) {
  auto plan = two_sites();
  plan.lead = Duration{100};
  EXPECT_TRUE(valid_new_plan(plan).ok());
  plan.lead = Duration{99};
  const auto begun = valid_new_plan(plan);
  ASSERT_FALSE(begun.ok());
  EXPECT_EQ(begun.what(), "lead is at least three times answer_within, and margin: 100 s, not 99");
  EXPECT_EQ(refusal(plan), "") << "an earlier version may have begun it";
  plan.answer_within = Duration{5};
  EXPECT_TRUE(valid_new_plan(plan).ok());
  plan.hold = Duration{24};
  EXPECT_FALSE(valid_new_plan(plan).ok());
}

TEST(GivenAPlan, WhenATimeIsOutOfRangeThenItIsRefused) {
  auto plan = two_sites();
  plan.duration = Duration{0};
  EXPECT_NE(refusal(plan), "");
  plan = two_sites();
  plan.earliest = Instant{100}, plan.latest = Instant{99};
  EXPECT_NE(refusal(plan), "");
  plan = two_sites();
  plan.skew = Duration{-1};
  EXPECT_NE(refusal(plan), "");
}

TEST(GivenARecord, WhenItIsWrittenAndReadThenItIsTheSame) {
  const CoallocationRecord record{"a1b2",
                                  7,
                                  CoallocationVerdict::release,
                                  {{"alpha", Instant{1700000000}, "R14", "v1.QA.x:y;z", {}},
                                   {"beta", Instant{1700000005}, "", "", Duration{-7}}}};
  const auto read = parse_coallocation(print_coallocation(record));
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(*read, record);
}

TEST(GivenWhatIsNoRecord, WhenItIsReadThenItIsAnError) {
  const auto good =
      print_coallocation({"a", 1, CoallocationVerdict::commit, {{"s", Instant{1}, "", "", {}}}});
  EXPECT_TRUE(parse_coallocation(good).ok());
  for (std::size_t size = 0; size + 1 < good.find('\n'); ++size)
    EXPECT_FALSE(parse_coallocation(good.substr(0, size)).ok()) << size;
  for (const char* text :
       {"", "VERSION=2;ID=a;ATTEMPT=1;VERDICT=COMMIT", "VERSION=1;ID=a;ATTEMPT=1;VERDICT=MAYBE",
        "VERSION=1;ID=a;ATTEMPT=x;VERDICT=COMMIT",
        "VERSION=1;ID=a;ATTEMPT=1;VERDICT=COMMIT\nSITE=x;START=1",
        "VERSION=1;ID=a;ATTEMPT=1;VERDICT=COMMIT\nSITE=x"})
    EXPECT_FALSE(parse_coallocation(text).ok()) << text;
}

} // namespace
} // namespace almanac
