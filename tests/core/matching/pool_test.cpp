// What shares an amount of a resource, and how often something fits into it.
#include "core/matching/pool.hpp"
#include "busy_cell.hpp"

using namespace almanac;

namespace {

class GivenPools : public MatchingFixture {
public:
  /// "global host:h1 queue:all.q@h1"
  std::string pools(const Demand& demand, const Supply& supply, std::size_t consumption) const {
    std::string text;
    for (const auto& pool : pools_of(consumptions_of(demand, supply)[consumption], instance("h1")))
      text += (text.empty() ? "" : " ") + pool.container().text();
    return text;
  }
  void licenses() { complex("license", "lic INT <= YES YES 0 0"); }
};

} // namespace

TEST_F(GivenPools, WhenCellHostAndQueueHaveTheResourceThenTheyComeInThatOrder) {
  hosts(1, 4);
  licenses();
  offer("global", "license=9");
  offer("h1", "license=8");
  queue("all.q", {{"complex_values", "license=7"}});
  const auto demand = this->demand(asking({{"license", "1"}}));
  EXPECT_EQ(pools(demand, supply(), 1), "global host:h1 queue:all.q@h1");
}

TEST_F(GivenPools, WhenOnlySomeHaveTheResourceThenTheOthersAreNoPools) {
  hosts(1, 4);
  licenses();
  const auto demand = this->demand(asking({{"license", "1"}}));
  EXPECT_EQ(pools(demand, supply(), 0), "queue:all.q@h1") << "slots";
  EXPECT_EQ(pools(demand, supply(), 1), "") << "nobody has licenses";
  offer("h1", "license=8");
  EXPECT_EQ(pools(demand, supply(), 1), "host:h1");
}

TEST_F(GivenPools, WhenSomethingIsBookedThenTheRestCounts) {
  hosts(1, 4);
  licenses();
  offer("h1", "license=7");
  auto runs = asking({{"license", "2"}, {"h_rt", "100"}});
  running(runs);
  const auto demand = this->demand(asking({{"license", "2"}}));
  const auto supply = this->supply();
  const auto consumptions = consumptions_of(demand, supply);
  const auto& pool = *pools_of(consumptions[1], instance("h1")).begin();
  EXPECT_EQ(times_free(supply, pool, consumptions[1].asked, for_seconds(10)), 2) << "five by two";
  const Window later{now + Duration{1000}, now + Duration{2000}};
  EXPECT_EQ(times_free(supply, pool, consumptions[1].asked, later), 3);
  auto nothing = consumptions[1].asked;
  nothing.amount = 0;
  EXPECT_EQ(times_free(supply, pool, nothing, later), most_slots);
}

TEST_F(GivenPools, WhenSomebodyWantsToBeAloneThenOthersKeepHimOut) {
  hosts(1, 4);
  complex("exclusive", "excl BOOL EXCL YES YES 0 0");
  offer("h1", "exclusive=TRUE");
  const auto fits = [&](const JobRequest& request) {
    const auto demand = this->demand(request);
    const auto supply = this->supply();
    const auto consumptions = consumptions_of(demand, supply);
    const auto& pool = *pools_of(consumptions[1], instance("h1")).begin();
    return times_free(supply, pool, consumptions[1].asked, for_seconds(10));
  };
  EXPECT_EQ(fits(asking({{"exclusive", "TRUE"}})), most_slots);
  running(job("beside"));
  EXPECT_EQ(fits(asking({{"exclusive", "TRUE"}})), 0);
  EXPECT_EQ(fits(job("another")), most_slots);
}

RC_GTEST_PROP(GivenAnyBookings, WhenSoManyTimesAreFreeThenNoSecondHasLessAndOneMoreDoesNotFit, ()) {
  BusyCell cell;
  const auto demand = cell.demand(cell.any_request());
  const auto supply = cell.supply();
  const auto start = cell.now + Duration{*rc::gen::inRange<std::int64_t>(0, 150)};
  const Window window{start, start + Duration{*rc::gen::inRange<std::int64_t>(1, 60)}};
  for (const auto& instance : cell.state().configuration().instances())
    for (const auto& consumption : consumptions_of(demand, supply)) {
      const auto& asked = consumption.asked;
      std::vector<Container> pools, with_capacity;
      for (const auto& container : BusyCell::containers_of(instance))
        if (cell.total(container, asked.resource)) with_capacity.push_back(container);
      for (const auto& pool : pools_of(consumption, instance)) {
        const auto container = pool.container();
        pools.push_back(container);
        const auto times = times_free(supply, pool, asked, window);
        const auto fits = [&](std::int64_t count) {
          bool always = true;
          for (auto at = window.start; at < window.end; at = at + Duration{1})
            always = always && cell.booked(container, asked.resource, {at, at + Duration{1}}) +
                                       count * asked.amount <=
                                   *cell.total(container, asked.resource);
          return always;
        };
        RC_ASSERT(times == 0 || fits(times));
        RC_ASSERT(!fits(times + 1));
      }
      RC_ASSERT(pools == with_capacity);
    }
}
