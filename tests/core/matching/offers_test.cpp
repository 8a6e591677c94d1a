// What each queue instance offers to one request, and what is said of what it does not.
#include "core/matching/offers.hpp"
#include "busy_cell.hpp"
#include "core/answer/gridengine.hpp"

using namespace almanac;

namespace {

class GivenOffers : public MatchingFixture {
public:
  Obstacles obstacles;

  Offer offered(const JobRequest& request, const std::string& host = "h1",
                std::int64_t seconds = 100) {
    const auto demand = this->demand(request);
    const auto supply = this->supply();
    return Offers(state(), supply, demand, for_seconds(seconds), obstacles).of(instance(host));
  }
  std::optional<CellOffer> of_cell(const JobRequest& request) {
    const auto demand = this->demand(request);
    const auto supply = this->supply();
    return Offers(state(), supply, demand, for_seconds(100), obstacles).of_cell();
  }
  std::string said() const {
    return obstacles.list().empty() ? "" : gridengine::text_of(obstacles.list().back());
  }
};

} // namespace

TEST_F(GivenOffers, WhenHostAndInstanceLimitThenTheLesserIsOffered) {
  hosts(1, 4);
  complex("gpu", "gpu INT <= YES YES 0 0");
  offer("h1", "gpu=6");
  EXPECT_EQ(offered(job("plain")).slots, 4);
  EXPECT_EQ(offered(job("plain")).on_host, most_slots);
  const auto found = offered(asking({{"gpu", "2"}}));
  EXPECT_EQ(found.slots, 3);
  EXPECT_EQ(found.on_host, 3);
  EXPECT_TRUE(found.can_be_master);
  EXPECT_TRUE(obstacles.list().empty());
}

TEST_F(GivenOffers, WhenNothingIsLeftThenTheSentenceSaysWhatIsThereAndWhoHasTheRest) {
  hosts(1, 2);
  const auto first = running(parallel("smp", 2));
  EXPECT_EQ(offered(job("waits")).slots, 0);
  EXPECT_EQ(said(), "queue instance \"all.q@h1\" dropped because it is full (taken by job " +
                        std::to_string(first) + ": 2)"); // S15.3
  complex("gpu", "gpu INT <= YES YES 0 0");
  offer("h1", "gpu=1");
  EXPECT_EQ(offered(asking({{"gpu", "2"}})).slots, 0);
  ASSERT_EQ(obstacles.list().size(), 3U);
  EXPECT_EQ(said(), "(-l gpu=2) cannot run at host \"h1\" because it offers only hc:gpu=1");
}

TEST_F(GivenOffers, WhenTheCellHasTooLittleThenNothingIsOfferedAnywhere) {
  hosts(1, 4);
  complex("license", "lic INT <= YES YES 0 0");
  offer("global", "license=3");
  auto wide = parallel("smp", 2, 4);
  wide.resources = {{"license", "1"}};
  ASSERT_TRUE(of_cell(wide));
  EXPECT_EQ(of_cell(wide)->slots, 3);
  EXPECT_EQ(of_cell(wide)->hosts, most_slots);
  wide.resources = {{"license", "2"}};
  EXPECT_FALSE(of_cell(wide)) << "the smallest number of slots needs four";
  EXPECT_EQ(said(), "(-l license=2) cannot run globally because it offers only gc:license=3");
}

TEST_F(GivenOffers, WhenAResourceIsNowhereThenItIsSaid) {
  hosts(1, 4);
  complex("disk", "dsk INT <= YES YES 0 0");
  EXPECT_EQ(offered(asking({{"disk", "1"}})).slots, 0);
  EXPECT_EQ(said(), "(-l disk=1) cannot run in queue \"all.q@h1\" because it offers no disk");
}

// S7.14: an amount for the whole job is taken where its master is.
TEST_F(GivenOffers, WhenAnAmountForTheWholeJobIsMissingThenOnlyTheMasterMustBeElsewhere) {
  hosts(2, 4);
  complex("license", "lic INT <= YES JOB 0 0");
  offer("h1", "license=1");
  offer("h2", "license=5");
  auto wide = parallel("fill", 8);
  wide.resources = {{"license", "5"}};
  EXPECT_EQ(offered(wide, "h1").slots, 4);
  EXPECT_FALSE(offered(wide, "h1").can_be_master);
  EXPECT_TRUE(offered(wide, "h2").can_be_master);
}

TEST_F(GivenOffers, WhenRequestsAreSoftThenTheUnmetAreCounted) {
  hosts(2, 4);
  complex("fast", "fst BOOL == YES NO 0 0");
  complex("disk", "dsk INT <= YES YES 0 0");
  offer("h2", "fast=TRUE,disk=10");
  auto request = job("soft");
  request.soft_resources = {{"fast", "TRUE"}, {"disk", "5"}};
  EXPECT_EQ(offered(request, "h1").unmet, 2);
  EXPECT_EQ(offered(request, "h2").unmet, 0);
  request.soft_resources = {{"fast", "TRUE"}, {"disk", "11"}};
  EXPECT_EQ(offered(request, "h2").unmet, 1);
  EXPECT_EQ(offered(request, "h2").slots, 4) << "it may be missing";
}

TEST_F(GivenOffers, WhenACalendarClosesTheInstanceInTheWindowThenItOffersNothing) {
  hosts(1, 4);
  now = {18 * 86400 + 7 * 3600}; // a Monday at seven
  scheduler({{"max_reservation", "5"}});
  change({ObjectKind::calendar, "noon", {{"week", "12-13"}}}, ChangeVerb::add);
  queue("all.q", {{"calendar", "noon"}});
  EXPECT_EQ(offered(job("short"), "h1", 3600).slots, 4);
  EXPECT_EQ(offered(job("long"), "h1", 6 * 3600).slots, 0);
  EXPECT_EQ(said(), "cannot run in queue instance \"all.q@h1\" because the job runtime of 21600 "
                    "sec. is too long");
}

namespace {

// What the containers of the instance, but for the cell, leave of what is asked for.
Offer by_hand(const BusyCell& cell, const QueueInstance& instance, const Demand& demand,
              Window window) {
  Offer offer;
  for (const auto& asked : demand.consumables) {
    bool is_there = false;
    for (const auto& container : BusyCell::containers_of(instance)) {
      const auto total = cell.total(container, asked.resource);
      if (!total) continue;
      is_there = true;
      if (container == Container::global()) continue;
      const auto free = *total - cell.booked(container, asked.resource, window);
      const auto fits = std::max<std::int64_t>(0, free) / asked.amount;
      if (asked.taking == Taking::per_host && fits == 0) offer.slots = 0;
      if (asked.taking == Taking::per_job && fits == 0) offer.can_be_master = false;
      if (asked.taking != Taking::per_slot) continue;
      offer.slots = std::min(offer.slots, fits);
      if (container.kind == Container::Kind::host) offer.on_host = std::min(offer.on_host, fits);
    }
    if (!is_there) offer.slots = 0;
  }
  return offer;
}

JobRequest asking_for_any(const BusyCell& cell) {
  auto request = cell.any_request();
  for (const char* resource : {"disk", "dongle"})
    if (*rc::gen::inRange(0, 3) == 0) request.resources.push_back({resource, "1"});
  return request;
}

} // namespace

RC_GTEST_PROP(GivenAnyBookings, WhenAnInstanceIsAskedThenItOffersWhatItsContainersHaveLeft, ()) {
  BusyCell cell;
  const auto demand = cell.demand(asking_for_any(cell));
  const auto supply = cell.supply();
  const auto start = cell.now + Duration{*rc::gen::inRange<std::int64_t>(0, 150)};
  const Window window{start, start + Duration{*rc::gen::inRange<std::int64_t>(1, 100)}};
  Obstacles obstacles;
  Offers offers(cell.state(), supply, demand, window, obstacles);
  for (const auto& instance : cell.state().configuration().instances()) {
    const auto offered = offers.of(instance);
    const auto expected = by_hand(cell, instance, demand, window);
    RC_ASSERT(offered.instance == &instance);
    RC_ASSERT(offered.slots == expected.slots);
    RC_ASSERT(offered.on_host == expected.on_host);
    RC_ASSERT(offered.can_be_master == expected.can_be_master);
    if (offered.slots == 0) RC_ASSERT(!obstacles.list().empty());
  }
}

RC_GTEST_PROP(GivenAnyBookings, WhenTheCellIsAskedThenItOffersWhatIsLeftForTheFewestSlots, ()) {
  BusyCell cell;
  const auto demand = cell.demand(cell.any_request());
  const auto supply = cell.supply();
  const Window window{cell.now, cell.now + Duration{*rc::gen::inRange<std::int64_t>(1, 100)}};
  Obstacles obstacles;
  const auto offered = Offers(cell.state(), supply, demand, window, obstacles).of_cell();
  auto slots = most_slots;
  for (const auto& asked : demand.consumables)
    if (asked.resource == "license")
      slots = (*cell.total(Container::global(), "license") -
               cell.booked(Container::global(), "license", window)) /
              asked.amount;
  RC_ASSERT(offered.has_value() == (slots >= (demand.slots.empty() ? 1 : lowest(demand.slots))));
  if (offered) RC_ASSERT(offered->slots == slots);
  RC_ASSERT(obstacles.list().empty() == offered.has_value());
}
