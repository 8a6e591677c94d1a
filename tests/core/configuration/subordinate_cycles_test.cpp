// Queues that would suspend each other (docs/spec/objects.md O1.33).
#include "core/configuration/subordinate_cycles.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

QueueInstance above(const std::string& queue, const std::string& host,
                    const std::vector<std::string>& below) {
  QueueInstance instance;
  instance.name = {queue, host};
  for (const auto& name : below) instance.settings.subordinates.queues.push_back({name});
  return instance;
}

} // namespace

TEST(GivenQueuesAboveOthers, WhenOneIsBelowItselfThenTheWayIsNamed) {
  EXPECT_EQ(
      check_subordinate_cycles({above("a", "n1", {"a"})}).what(),
      "cluster queue \"a\": subordinate_list makes it subordinate to itself on host \"n1\": a "
      "above a");
  const auto way = check_subordinate_cycles(
      {above("top", "n1", {"a"}), above("a", "n1", {"x", "b"}), above("b", "n1", {"a"})});
  ASSERT_FALSE(way.ok());
  EXPECT_NE(way.what().find("a above b above a"), std::string::npos) << way.what();
}

TEST(GivenQueuesAboveOthers, WhenNoneIsBelowItselfThenTheyAreTaken) {
  EXPECT_TRUE(check_subordinate_cycles({}).ok());
  EXPECT_TRUE(check_subordinate_cycles(
                  {above("a", "n1", {"b", "c"}), above("b", "n1", {"c"}), above("c", "n1", {})})
                  .ok());
  EXPECT_TRUE(check_subordinate_cycles({above("a", "n1", {"b"}), above("b", "n2", {"a"})}).ok())
      << "on each host one of them is above";
}
