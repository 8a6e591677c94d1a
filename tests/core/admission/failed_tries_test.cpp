// Who failed too often is blocked for a while (spec/metascheduler.md M8.26).
#include "core/admission/failed_tries.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

// How many more tries block.
int tries_until_blocked(FailedTries& failed, const std::string& peer, std::int64_t now,
                        std::int64_t step) {
  for (int count = 1; count <= 100; ++count, now += step)
    if (failed.note(peer, now)) return count;
  return 0;
}

} // namespace

TEST(GivenFailedTries, WhenTenComeInAMinuteThenThePeerIsBlockedForAMinute) {
  FailedTries failed({});
  EXPECT_EQ(tries_until_blocked(failed, "one", 0, 1'000), 10);
  EXPECT_TRUE(failed.is_blocked("one", 9'000));
  EXPECT_TRUE(failed.is_blocked("one", 68'999));
  EXPECT_FALSE(failed.is_blocked("one", 69'000));
  EXPECT_FALSE(failed.is_blocked("other", 9'000));
  EXPECT_EQ(tries_until_blocked(failed, "one", 69'000, 0), 10) << "it begins anew";
}

TEST(GivenFailedTries, WhenTheyAreSlowThenNobodyIsBlocked) {
  FailedTries failed({});
  EXPECT_EQ(tries_until_blocked(failed, "one", 0, 6'700), 0);
  EXPECT_EQ(tries_until_blocked(failed, "two", 0, 6'600), 10) << "9 * 6.6 s are in a minute";
}

TEST(GivenFailedTries, WhenThereAreTooManyPeersThenTheOldestAreForgotten) {
  FailedTries failed({2, 60'000, 60'000, 3});
  for (int peer = 0; peer < 100; ++peer) failed.note(std::to_string(peer), peer);
  EXPECT_EQ(failed.remembered(), 3u);
  EXPECT_TRUE(failed.note("99", 100)) << "the last one was kept";
  EXPECT_FALSE(failed.note("0", 101)) << "the first one was not";
}
