// What a run over many seeds must have met, or it proves nothing about it.
#include "tools/simulator/coallocation/coallocate.hpp"

#include <gtest/gtest.h>

namespace almanac {
namespace {

CoallocationCount of_some() {
  CoallocationCount sum;
  sum.ends = {{"all", 40}, {"none", 10}};
  sum.site_kills = 3, sum.own_kills = 2;
  return sum;
}

TEST(GivenSomeTrials, WhenOneOfTheUsualEndsNeverCameThenThatIsNamed) {
  EXPECT_EQ(never_seen(of_some(), 50), "");
  for (const std::string end : {"all", "none"}) {
    auto sum = of_some();
    sum.ends.erase(end);
    EXPECT_EQ(never_seen(sum, 50), "the end \"" + end + "\"");
    EXPECT_EQ(never_seen(sum, 49), "") << "too few to say";
  }
}

TEST(GivenSomeTrials, WhenNobodyOfAKindWasKilledThenThatIsNamed) {
  auto sum = of_some();
  sum.site_kills = 0;
  EXPECT_EQ(never_seen(sum, 50), "a kill of a master");
  sum = of_some(), sum.own_kills = 0;
  EXPECT_EQ(never_seen(sum, 50), "a kill of the coordinator");
  EXPECT_EQ(never_seen(sum, 49), "");
}

TEST(GivenManyTrials, WhenARareEndNeverCameThenThatIsNamed) {
  auto sum = of_some();
  EXPECT_EQ(never_seen(sum, 999), "");
  EXPECT_EQ(never_seen(sum, 1000), "the end \"mixed\"");
  sum.ends["mixed"] = 1;
  EXPECT_EQ(never_seen(sum, 1000), "the end \"stopped\"");
  sum.ends["stopped"] = 1;
  EXPECT_EQ(never_seen(sum, 1000), "a decision that is taken up after an hour");
  sum.late = 1;
  EXPECT_EQ(never_seen(sum, 1000), "");
}

} // namespace
} // namespace almanac
