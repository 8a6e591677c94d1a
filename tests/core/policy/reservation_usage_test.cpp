// What plus_rsvutil() counts (docs/spec/plus.md section 7).
#include "core/policy/reservation_usage.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

UsedReservation used(std::int64_t start, std::int64_t end, std::int64_t nodes,
                     std::int64_t canceled_at = 0) {
  return {{{start}, {end}}, nodes, {canceled_at}};
}
OwnerUsage usage(std::int64_t count, std::int64_t seconds, std::int64_t node_seconds) {
  return {count, {seconds}, node_seconds};
}

} // namespace

// P7.56
TEST(GivenReservationsAtTheEdgeOfAWindow, WhenCountedThenTheirPartsInItCount) {
  const Window within{{1'000}, {2'000}};
  EXPECT_EQ(usage_within({used(1'100, 1'200, 3)}, within), usage(1, 100, 300));
  EXPECT_EQ(usage_within({used(900, 1'100, 2), used(1'900, 2'500, 1)}, within), usage(2, 200, 300));
  EXPECT_EQ(usage_within({used(0, 5'000, 2)}, within), usage(1, 1'000, 2'000));
  EXPECT_EQ(usage_within({used(500, 1'000, 1), used(2'000, 3'000, 1)}, within), usage(0, 0, 0));
  EXPECT_EQ(usage_within({used(1'000, 2'000, 1)}, {{2'000}, {1'000}}), usage(0, 0, 0));
}

// P7.58
TEST(GivenACanceledReservation, WhenCountedThenItEndsWhereItWasCanceled) {
  const Window within{{1'000}, {2'000}};
  EXPECT_EQ(usage_within({used(1'100, 1'900, 1, 1'200)}, within), usage(1, 100, 100));
  EXPECT_EQ(usage_within({used(1'100, 1'900, 1, 1'100)}, within), usage(0, 0, 0));
  EXPECT_EQ(usage_within({used(1'100, 1'900, 1, 900)}, within), usage(0, 0, 0));
  EXPECT_EQ(usage_within({used(1'100, 1'900, 1, 5'000)}, within), usage(1, 800, 800));
}

TEST(GivenReservationsWithoutEnd, WhenCountedThenNothingOverflows) {
  const Window all{{0}, Instant::never()};
  const auto huge = used(0, Instant::never().seconds, Instant::never().seconds);
  EXPECT_EQ(usage_within({huge, huge}, all).count, 2);
  EXPECT_TRUE(usage_within({huge, huge}, all).total.is_endless());
  EXPECT_GT(usage_within({huge, huge}, all).node_seconds, 0);
}
