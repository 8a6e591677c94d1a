// How long a host is silent, and what follows from it.
#include "core/execution/lease.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr Duration max_unheard{10};

// The second in which the host becomes unknown, of so many; 0: in none of them.
int unknown_within(Lease& lease, int seconds) {
  int when = 0;
  for (int second = 1; second <= seconds; ++second) {
    lease.pass_second();
    if (lease.becomes_unknown(max_unheard)) {
      EXPECT_EQ(when, 0) << "it is said once";
      when = second;
    }
  }
  return when;
}

Lease after_a_session() {
  Lease lease;
  lease.agent_came(), lease.renewed();
  return lease;
}

} // namespace

TEST(GivenALease, WhenTheAgentIsSilentForMaxUnheardThenTheHostIsUnknownOnce) {
  auto lease = after_a_session();
  lease.agent_left({});
  EXPECT_EQ(unknown_within(lease, 40), 10);
}

TEST(GivenALease, WhenTheSessionEndedForSilenceThenThatCounts) {
  auto lease = after_a_session();
  lease.agent_left({4});
  EXPECT_EQ(unknown_within(lease, 40), 6);
}

TEST(GivenALease, WhenTheMasterHasJustStartedThenAgentsHaveTenSecondsMore) {
  Lease lease;
  EXPECT_EQ(unknown_within(lease, 40), 20);
}

TEST(GivenAnUnknownHost, WhenItsAgentCameAndLeftThenItIsUnknownOnceMore) {
  Lease lease;
  unknown_within(lease, 30);
  lease.agent_came();
  lease.agent_left({});
  EXPECT_EQ(unknown_within(lease, 40), 10);
}

TEST(GivenAnUnknownHost, WhenSomebodyWasHeardAndIsGoneThenTheSilenceBeginsAnew) {
  auto lease = after_a_session();
  lease.agent_left({});
  unknown_within(lease, 15);
  lease.begin_anew();
  EXPECT_EQ(lease.silent(), Duration{0});
  EXPECT_EQ(unknown_within(lease, 40), 10);
}

TEST(GivenALease, WhenTheHostIsNotUnknownThenNobodyLooksAtFences) {
  auto lease = after_a_session();
  lease.agent_left({});
  int looks = 0;
  for (int second = 0; second < 9; ++second) {
    lease.pass_second();
    lease.becomes_unknown(max_unheard);
    looks += lease.is_time_for_fences();
  }
  EXPECT_EQ(looks, 0);
  lease.pass_second();
  ASSERT_TRUE(lease.becomes_unknown(max_unheard));
  for (int second = 0; second < 20; ++second) looks += lease.is_time_for_fences();
  EXPECT_EQ(looks, 4) << "every five seconds";
}

TEST(GivenALease, WhenItIsRenewedThenFencesAreCountedFromThereWhateverTheSessionDoes) {
  auto lease = after_a_session();
  constexpr Duration fence{20}; // and two margins of five seconds
  lease.agent_left({5});
  for (int second = 0; second < 10; ++second) lease.pass_second();
  lease.agent_came();
  lease.agent_left({});
  for (int second = 0; second < 14; ++second) lease.pass_second();
  EXPECT_FALSE(lease.is_past(fence)) << "a session alone is no renewal, and 29 seconds have passed";
  lease.pass_second();
  EXPECT_TRUE(lease.is_past(fence));
  EXPECT_FALSE(lease.is_past(Duration{0})) << "such a task has none";
  lease.renewed();
  EXPECT_FALSE(lease.is_past(fence));
}
