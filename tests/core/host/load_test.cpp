// What a host says of itself and of its load: a host may say anything.
#include "core/host/load.hpp"
#include "tests/core/planning/planner_fixture.hpp"

#include <limits>

using namespace almanac;

namespace {

constexpr auto most = std::numeric_limits<std::int64_t>::max();

} // namespace

TEST(GivenALoadThatNoMachineHas, WhenItIsQuantisedThenItIsNotKnown) {
  const auto load = quantised({most, most, most, most, most, most, most}, 0);
  EXPECT_EQ(load, HostLoad());
}

TEST(GivenALoadThatAMachineHas, WhenItIsQuantisedThenItIsKept) {
  const auto load = quantised({51, 250, 1000, 5040, 3LL << 30, 1LL << 30, 0}, 4LL << 30);
  EXPECT_EQ(load, (HostLoad{50, 250, 1000, 5000, 3LL << 30, 1LL << 30, 0}));
}

TEST(GivenCoresInUse, WhenALoadIsQuantisedThenNothingIsDecidedByThem) {
  HostLoad load{51, 250, 1000};
  load.topology_in_use = "ScC";
  EXPECT_EQ(quantised(load, 0).topology_in_use, "");
}

TEST_F(PlannerFixture, WhenAHostSaysOfItselfWhatNoMachineHasThenItIsCut) {
  hosts(1, 4);
  const std::string endless(1 << 20, 'x');
  tell(HostRegistered{"h1", {endless, most, most, endless, endless, endless, endless}});
  const auto& facts = planner.state().host("h1").facts;
  EXPECT_LT(facts.processors, 1 << 30);
  EXPECT_LE(facts.memory, 1LL << 50);
  for (const auto* text : {&facts.arch, &facts.boot_id, &facts.spool_id, &facts.address})
    EXPECT_LT(text->size(), 1000u);
  EXPECT_EQ(facts.topology, "");
}
