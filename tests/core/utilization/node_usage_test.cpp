// How long reservations had nodes, and how long their jobs were there (docs/spec/plus.md P3.63, P3.64).
#include "core/utilization/node_usage.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr ReservationId r1{{1}, {10}}, r2{{2}, {20}};

OccupiedSpan span(const char* queue, const char* host, std::int64_t start, std::int64_t end,
                  ReservationId id, std::int64_t slots = 1) {
  return {{{queue, host}, {{start}, {end}}, slots}, id};
}

} // namespace

TEST(GivenSpansOfAReservation, WhenNodesAreCountedThenSlotsAndQueuesPlayNoPart) {
  const auto usage = node_usage_of(
      {span("a", "n1", 0, 100, r1, 4), span("b", "n1", 50, 150, r1), span("a", "n2", 0, 100, r1)},
      {span("a", "n1", 10, 30, r1, 2), span("b", "n1", 20, 40, r1)}, {{0}, {1000}});
  const auto& own = usage.at(r1);
  EXPECT_EQ(own.reserved_for, 150);
  EXPECT_EQ(own.nodes, (std::vector<NodeUsage>{{"n1", 150, 30}, {"n2", 100, 0}}));
}

TEST(GivenSpansOfAReservation, WhenAWindowIsAskedForThenOnlyWhatLiesInItCounts) {
  const auto usage = node_usage_of({span("a", "n1", 0, 100, r1), span("a", "n1", 300, 400, r2)},
                                   {span("a", "n1", 40, 100, r1)}, {{50}, {80}});
  EXPECT_EQ(usage.at(r1).reserved_for, 30);
  EXPECT_EQ(usage.at(r1).nodes, (std::vector<NodeUsage>{{"n1", 30, 30}}));
  EXPECT_FALSE(usage.contains(r2));
  EXPECT_TRUE(node_usage_of({span("a", "n1", 0, 100, r1)}, {}, {{100}, {200}}).empty())
      << "windows are half-open";
}

TEST(GivenTasksOutsideOfReservations, WhenNodesAreCountedThenTheyAreNoReservations) {
  EXPECT_TRUE(node_usage_of({}, {span("a", "n1", 0, 100, {})}, {{0}, {1000}}).empty());
}

TEST(GivenAReservationWithoutHosts, WhenNodesAreCountedThenItHasNone) {
  const auto usage = node_usage_of({span("", "", 0, 100, r1)}, {}, {{0}, {1000}});
  EXPECT_TRUE(usage.at(r1).nodes.empty());
}
