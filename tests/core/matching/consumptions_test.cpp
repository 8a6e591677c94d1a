// What is asked of each place in amounts.
#include "core/matching/consumptions.hpp"
#include "matching_fixture.hpp"

using namespace almanac;

namespace {

class GivenConsumptions : public MatchingFixture {};

} // namespace

TEST_F(GivenConsumptions, WhenAJobAsksForAmountsThenSlotsComeFirst) {
  hosts(1, 4);
  complex("license", "lic INT <= YES YES 0 0");
  offer("global", "license=9");
  const auto demand = this->demand(asking({{"license", "2"}}));
  const auto supply = this->supply();
  const auto found = consumptions_of(demand, supply);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].asked.resource, "slots");
  EXPECT_EQ(found[0].capacity_index.of_queue(instance("h1")).total, 4);
  EXPECT_EQ(found[1].asked.resource, "license");
  EXPECT_EQ(found[1].capacity_index.of_cell().total, 9);
  EXPECT_FALSE(found[1].capacity_index.of_host(instance("h1")).total);
}

TEST_F(GivenConsumptions, WhenOneIsToBeAloneThenWhatTheOthersBookedBelongsToIt) {
  hosts(1, 4);
  complex("exclusive", "excl BOOL EXCL YES YES 0 0");
  offer("h1", "exclusive=TRUE");
  const auto supply = this->supply();
  const auto alone = demand(asking({{"exclusive", "TRUE"}})), beside = demand(job("beside"));
  ASSERT_EQ(consumptions_of(alone, supply).size(), 2U);
  EXPECT_EQ(consumptions_of(alone, supply)[0].shared, nullptr);
  EXPECT_NE(consumptions_of(alone, supply)[1].shared, nullptr);
  ASSERT_EQ(consumptions_of(beside, supply).size(), 2U) << "it must not meet who is alone";
  EXPECT_EQ(consumptions_of(beside, supply)[1].shared, nullptr);
}

TEST_F(GivenConsumptions, WhenTheyAreSoftThenTheyStandApart) {
  hosts(1, 4);
  complex("disk", "dsk INT <= YES YES 0 0");
  offer("h1", "disk=10");
  auto request = job("soft");
  request.soft_resources = {{"disk", "5"}};
  const auto demand = this->demand(request);
  const auto supply = this->supply();
  EXPECT_EQ(consumptions_of(demand, supply).size(), 1U) << "slots";
  const auto soft = consumptions_of(demand.soft, supply);
  ASSERT_EQ(soft.size(), 1U);
  EXPECT_EQ(soft[0].asked.amount, 5);
  EXPECT_EQ(soft[0].capacity_index.of_host(instance("h1")).total, 10);
}
