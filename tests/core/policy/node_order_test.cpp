// In which order nodes are given by the keys of sched_conf (spec/plus.md P6.4, P6.7 to P6.10).
#include "core/policy/node_order.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

using namespace almanac;

namespace {

std::string order(const char* keys, const std::vector<NodeFacts>& nodes) {
  const auto parsed = parse_sort_keys(std::string("NodeSortKey: ") + keys);
  EXPECT_TRUE(parsed.ok());
  std::string names;
  for (const auto place : node_order(*parsed, nodes))
    names += (names.empty() ? "" : " ") + nodes[place].name;
  return names;
}

NodeFacts node(const char* name, std::optional<std::int64_t> load = {},
               std::optional<std::int64_t> idle = {}, std::int64_t memory = 0) {
  return {name, load, idle, memory};
}

} // namespace

// plus.md P6.7
TEST(GivenNodesToSort, WhenTheNameDecidesThenNumbersCountAsNumbers) {
  EXPECT_EQ(order("NodeName", {node("n10"), node("n2"), node("n1")}), "n1 n2 n10");
}

// plus.md P6.8
TEST(GivenNodesToSort, WhenTheLoadDecidesThenAnUnknownOneIsLast) {
  EXPECT_EQ(order("LowestLoadAverage", {node("a"), node("b", 300'000), node("c", 0)}), "c b a");
}

// plus.md P6.9
TEST(GivenNodesToSort, WhenIdleTimeDecidesThenBusyOnesAreLast) {
  EXPECT_EQ(order("LongestIdleTime", {node("a"), node("b", {}, 5), node("c", {}, 50)}), "c b a");
}

// plus.md P6.10
TEST(GivenNodesToSort, WhenMemoryDecidesThenTheLargestIsFirst) {
  EXPECT_EQ(order("LargestPhysicalMemory", {node("a", {}, {}, 4), node("b", {}, {}, 8)}), "b a");
}

// plus.md P6.23
TEST(GivenTheSampleOfTheManual, WhenLoadsAreEqualThenTheNextKeyDecides) {
  EXPECT_EQ(order("LowestLoadAverage, LongestIdleTime",
                  {node("n1", 200'000, 10), node("n2", 100'000, 5), node("n3", 100'000, 50)}),
            "n3 n2 n1");
  EXPECT_EQ(order("LowestLoadAverage", {node("n10", 1), node("n9", 1)}), "n9 n10")
      << "the last ties go to the name";
}
