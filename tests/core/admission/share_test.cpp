#include "core/admission/share.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

Share places() { return Share({1000, 100, 4, 8}); }

std::size_t take_all(Share& share, const std::string& who,
                     Share::Rank rank = Share::Rank::ordinary) {
  std::size_t taken = 0;
  while (taken < 10'000 && share.take(who, 1, rank)) ++taken;
  return taken;
}

} // namespace

TEST(GivenPlaces, WhenOneTakesAllItCanThenMostIsLeftForOthers) {
  auto share = places();
  EXPECT_EQ(take_all(share, "mallory"), 100u); // an eighth of what was free then
  EXPECT_TRUE(share.take("alice", 1));
}

TEST(GivenPlaces, WhenTwentyTakeAllTheyCanThenTheNextOneStillGetsSome) {
  auto share = places();
  for (int i = 0; i < 20; ++i) take_all(share, "mallory" + std::to_string(i));
  EXPECT_GT(take_all(share, "alice"), 4u);
}

TEST(GivenPlaces, WhenAllAreTakenThenTheReserveIsForThoseWhoComeFirst) {
  auto share = places();
  for (int i = 0; i < 1000; ++i) take_all(share, "mallory" + std::to_string(i));
  EXPECT_EQ(share.held(), 900u);
  EXPECT_FALSE(share.take("alice", 1));
  EXPECT_EQ(take_all(share, "root", Share::Rank::first), 100u);
}

TEST(GivenPlaces, WhenTheyAreGivenBackThenNothingIsLeftOfTheTaker) {
  auto share = places();
  ASSERT_TRUE(share.take("alice", 3));
  share.give_back("alice", 1);
  EXPECT_EQ(share.held("alice"), 2u);
  share.give_back("alice", 7);
  share.give_back("bob", 1);
  EXPECT_EQ(share.held("alice"), 0u);
  EXPECT_EQ(share.held(), 0u);
}

TEST(GivenPlaces, WhenAnAmountIsHugeThenItIsRefused) {
  auto share = places();
  EXPECT_FALSE(share.take("mallory", static_cast<std::size_t>(-1)));
  ASSERT_TRUE(share.take("mallory", 1));
  EXPECT_FALSE(share.take("mallory", static_cast<std::size_t>(-1)));
}

TEST(GivenPlaces, WhenOnePassesThemOnThenTheOtherHoldsThem) {
  auto share = places();
  ASSERT_TRUE(share.take("an address", 3));
  EXPECT_TRUE(share.pass("an address", "alice", 1));
  EXPECT_FALSE(share.pass("an address", "alice", 3));
  EXPECT_EQ(share.held("an address"), 2u);
  EXPECT_EQ(share.held("alice"), 1u);
  take_all(share, "alice");
  EXPECT_FALSE(share.pass("an address", "alice", 2));
  EXPECT_EQ(share.held("an address"), 2u);
  EXPECT_EQ(share.held(), 2 + share.held("alice"));
}
