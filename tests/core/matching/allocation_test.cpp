// Slots over hosts: V6 of spec/scheduling.md section 14, and what holds for any offers.
#include "allocation_cell.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

using namespace almanac;

namespace {

OfferedCell three_hosts_of_four() {
  OfferedCell cell;
  for (std::size_t host = 0; host < 3; ++host) cell.offer(host, 4);
  return cell;
}

} // namespace

// S7.16 to S7.19
TEST(GivenThreeHostsOfFourSlots, WhenSlotsAreSharedOutThenTheRuleSaysHow) {
  const auto cell = three_hosts_of_four();
  EXPECT_EQ(cell.largest(fill_up, 6, 6), "h0:4 h1:2");
  EXPECT_EQ(cell.largest(round_robin, 6, 6), "h0:2 h1:2 h2:2");
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 2), 6, 6), "h0:2 h1:2 h2:2");
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 4), 6, 6), "");
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 4), 8, 8), "h0:4 h1:4");
  EXPECT_EQ(cell.largest(pe_slots, 6, 6), "");
}

// S7.7 to S7.9
TEST(GivenThreeHostsOfFourSlots, WhenARangeIsAskedForThenItsLargestPossibleNumberIsGranted) {
  const auto cell = three_hosts_of_four();
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 4), 5, 8), "h0:4 h1:4");
  EXPECT_EQ(cell.largest(pe_slots, 3, 8), "h0:4");
  EXPECT_EQ(cell.largest(fill_up, 3, 20), "h0:4 h1:4 h2:4");
  EXPECT_EQ(cell.largest(fill_up, 13, 20), "");
}

// S7.20
TEST(GivenAHostWithTwoInstances, WhenTheHostLimitsThemThenTheyShareWhatItHas) {
  OfferedCell cell;
  cell.offer(0, 3).on_host = 4;
  cell.offer(1, 3);
  cell.offer(0, 3).on_host = 4;
  EXPECT_EQ(cell.largest(fill_up, 1, 9), "h0:3 h0:1 h1:3");
  EXPECT_EQ(cell.largest(pe_slots, 1, 9), "h0:3 h0:1");
}

// S7.21 and S7.22
TEST(GivenOnlyOneInstanceForTheMaster, WhenSlotsAreSharedOutThenItGivesTheFirst) {
  OfferedCell cell;
  cell.offer(0, 2).can_be_master = false;
  cell.offer(1, 2).can_be_master = false;
  cell.offer(1, 1);
  EXPECT_EQ(cell.largest(fill_up, 4, 4), "h1:1 h1:2 h0:1");
  EXPECT_EQ(cell.largest(pe_slots, 2, 2), "h1:1 h1:1") << "never on the first host";
  cell.offers.back().can_be_master = false;
  EXPECT_EQ(cell.largest(fill_up, 4, 4), "");
}

// S7.16 and S7.22
TEST(GivenAFixedNumberPerHost, WhenTheFirstHostForTheMasterHasLessThenAnotherOneHasIt) {
  OfferedCell cell;
  cell.offer(0, 1);
  cell.offer(1, 2).can_be_master = false;
  cell.offer(2, 2);
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 2), 2, 4), "h2:2 h1:2");
  cell.offers.back().can_be_master = false;
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 2), 2, 4), "") << "no host can have it";
}

TEST(GivenALimitOfHosts, WhenSlotsAreSharedOutThenNoMoreAreUsed) {
  const auto available = [](const ParallelEnvironment& pe) {
    auto allocation = three_hosts_of_four().allocation(pe);
    allocation.limit_hosts(2);
    return allocation.available();
  };
  EXPECT_EQ(available(fill_up), 8);
  EXPECT_EQ(available(pe_slots), 4);
  EXPECT_EQ(available(with(AllocationRule::fixed, 3)), 6);
}

TEST(GivenAFixedNumberPerHost, WhenNoMultipleIsInTheRangesThenNoNumberCanBeMade) {
  EXPECT_FALSE(can_make_any(with(AllocationRule::fixed, 4), {{5, 7}}));
  EXPECT_TRUE(can_make_any(with(AllocationRule::fixed, 4), {{5, 7}, {1, 4}}));
  EXPECT_TRUE(can_make_any(fill_up, {{5, 7}}));
}

// Quotas: instances that draw on one counter share what is left of it (quotas Q4.24).
TEST(GivenHostsThatShareSlots, WhenTheyAreSharedOutThenNoMoreAreGrantedThanTheyShare) {
  auto cell = three_hosts_of_four();
  cell.share(4, {0, 1, 2});
  EXPECT_EQ(cell.largest(fill_up, 1, 9), "h0:4");
  EXPECT_EQ(cell.largest(round_robin, 1, 9), "h0:2 h1:1 h2:1");
  EXPECT_EQ(cell.largest(round_robin, 5, 9), "");
  EXPECT_EQ(cell.largest(pe_slots, 1, 9), "h0:4");
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 2), 1, 9), "h0:2 h1:2");
}

TEST(GivenTwoHostsThatShareFourSlots, WhenTheyGiveInTurnThenEachGivesTwo) {
  OfferedCell cell;
  cell.offer(0, 4), cell.offer(1, 4);
  cell.share(4, {0, 1});
  EXPECT_EQ(cell.largest(round_robin, 1, 8), "h0:2 h1:2");
  EXPECT_EQ(cell.largest(round_robin, 3, 3), "h0:2 h1:1");
}

TEST(GivenHostsThatShareSlots, WhenSomeShareNothingThenTheyGiveAllThatTheyHave) {
  auto cell = three_hosts_of_four();
  cell.share(3, {0, 1});
  EXPECT_EQ(cell.largest(fill_up, 1, 9), "h0:3 h2:4");
  EXPECT_EQ(cell.largest(round_robin, 1, 9), "h0:2 h1:1 h2:4");
  EXPECT_EQ(cell.largest(pe_slots, 1, 9), "h2:4") << "the next host has more";
  EXPECT_EQ(cell.largest(pe_slots, 3, 3), "h0:3");
}

// What a host can't make use of goes to the next one.
TEST(GivenAFixedNumberPerHost, WhenAHostGetsLessOfWhatIsSharedThenItGivesItBack) {
  auto cell = three_hosts_of_four();
  cell.share(3, {0, 1});
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 2), 1, 9), "h0:2 h2:2");
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 4), 1, 9), "h2:4");
  cell.share(2, {2});
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 4), 1, 9), "");
}

TEST(GivenInstancesOfOneHost, WhenTheyShareSlotsThenThoseBehindGetWhatIsLeft) {
  OfferedCell cell;
  cell.offer(0, 3), cell.offer(0, 3), cell.offer(1, 3);
  cell.share(4, {0, 1}); // a counter of this host
  cell.share(1, {1, 2}); // and one of a queue that both have
  EXPECT_EQ(cell.largest(fill_up, 1, 9), "h0:3 h0:1");
  EXPECT_EQ(cell.largest(round_robin, 1, 9), "h0:3 h1:1") << "h1 takes its turn before h0:4";
  EXPECT_EQ(cell.largest(pe_slots, 4, 4), "h0:3 h0:1");
}

// The first slot is the master's, also where a host before it has got nothing.
TEST(GivenAFixedNumberPerHost, WhenTheMastersHostGetsTooLittleThenNoOtherKindOfHostIsTheFirst) {
  OfferedCell cell;
  cell.offer(0, 2);
  cell.offer(1, 2).can_be_master = false;
  cell.share(1, {0});
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 2), 1, 4), "");
}

namespace {

void share_something(OfferedCell& cell) {
  const auto pools = *rc::gen::inRange(1, 4);
  for (int pool = 0; pool < pools; ++pool) {
    std::vector<std::size_t> among;
    for (std::size_t offer = 0; offer < cell.offers.size(); ++offer)
      if (*rc::gen::arbitrary<bool>()) among.push_back(offer);
    cell.share(*rc::gen::inRange<std::int64_t>(1, 8), among);
  }
}

OfferedCell any_cell() {
  OfferedCell cell;
  const auto count = *rc::gen::inRange<std::size_t>(1, 7);
  std::map<std::size_t, std::int64_t> on_host;
  for (std::size_t i = 0; i < count; ++i) {
    const auto host = *rc::gen::inRange<std::size_t>(0, 4);
    auto& offer = cell.offer(host, *rc::gen::inRange<std::int64_t>(1, 6));
    if (!on_host.contains(host)) on_host[host] = *rc::gen::inRange<std::int64_t>(0, 9);
    offer.on_host = on_host[host];
    offer.can_be_master = *rc::gen::inRange(0, 3) > 0;
  }
  return cell;
}

// What is granted on each host, in the order of the grants.
std::vector<std::pair<std::string, std::int64_t>> by_host(const std::vector<Grant>& grants) {
  std::vector<std::pair<std::string, std::int64_t>> hosts;
  for (const auto& grant : grants) {
    if (hosts.empty() || hosts.back().first != grant.instance.host)
      hosts.emplace_back(grant.instance.host, 0);
    hosts.back().second += grant.slots;
  }
  return hosts;
}

std::map<std::string, std::int64_t> most_of_each_host(const OfferedCell& cell) {
  std::map<std::string, std::int64_t> most;
  for (const auto& offer : cell.offers) most[offer.instance->name.host] += offer.slots;
  for (const auto& offer : cell.offers) {
    auto& host = most[offer.instance->name.host];
    host = std::min(host, offer.on_host);
  }
  return most;
}

} // namespace

RC_GTEST_PROP(GivenAnyOffers, WhenSlotsAreGrantedThenNoMoreThanOfferedAndAsTheRuleSays, ()) {
  const auto cell = any_cell();
  const auto pe = with(*rc::gen::element(AllocationRule::pe_slots, AllocationRule::fill_up,
                                         AllocationRule::round_robin, AllocationRule::fixed),
                       *rc::gen::inRange<std::int64_t>(1, 4));
  const auto low = *rc::gen::inRange<std::int64_t>(1, 8),
             high = low + *rc::gen::inRange<std::int64_t>(0, 8);
  const auto allocation = cell.allocation(pe);
  const auto most = std::min(allocation.available(), high);
  const auto grants = allocation.largest({{low, high}}, most);
  std::int64_t slots = 0;
  for (const auto& grant : grants) {
    RC_ASSERT(grant.slots >= 1);
    RC_ASSERT(grant.slots <= cell.offer_of(grant).slots);
    slots += grant.slots;
  }
  if (grants.empty()) {
    // Without a fixed number per host all that is available can be had.
    RC_ASSERT(pe.rule == AllocationRule::fixed || most < low);
    return;
  }
  RC_ASSERT(slots >= low);
  RC_ASSERT(slots <= most);
  if (pe.rule != AllocationRule::fixed) RC_ASSERT(slots == most);
  RC_ASSERT(cell.offer_of(grants.front()).can_be_master);
  const auto hosts = by_host(grants);
  const auto limits = most_of_each_host(cell);
  std::int64_t least = slots, largest = 0;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const auto& [host, here] = hosts[i];
    const auto limit = limits.at(host);
    RC_ASSERT(here <= limit);
    if (pe.rule == AllocationRule::pe_slots) RC_ASSERT(hosts.size() == 1U);
    if (pe.rule == AllocationRule::fixed) RC_ASSERT(here == pe.per_host);
    if (pe.rule == AllocationRule::fill_up && i + 1 < hosts.size()) RC_ASSERT(here == limit);
    if (here < limit) least = std::min(least, here);
    largest = std::max(largest, here);
  }
  if (pe.rule == AllocationRule::round_robin) RC_ASSERT(largest - least <= 1);
}

// quotas Q4.24
RC_GTEST_PROP(GivenAnyOffers, WhenTheyShareSlotsThenNoMoreAreGrantedThanTheyShare, ()) {
  auto cell = any_cell();
  share_something(cell);
  const auto pe = with(*rc::gen::element(AllocationRule::pe_slots, AllocationRule::fill_up,
                                         AllocationRule::round_robin, AllocationRule::fixed),
                       *rc::gen::inRange<std::int64_t>(1, 4));
  const auto low = *rc::gen::inRange<std::int64_t>(1, 8),
             high = low + *rc::gen::inRange<std::int64_t>(0, 8);
  const auto allocation = cell.allocation(pe);
  const auto most = std::min(allocation.available(), high);
  const auto grants = allocation.largest({{low, high}}, most);
  auto left = cell.shared.left;
  std::int64_t slots = 0;
  for (const auto& grant : grants) {
    slots += grant.slots;
    RC_ASSERT(grant.slots >= 1);
    RC_ASSERT(grant.slots <= cell.offer_of(grant).slots);
    for (std::size_t offer = 0; offer < cell.offers.size(); ++offer)
      if (cell.offers[offer].instance->name == grant.instance)
        for (const auto share : cell.shared.shares[offer])
          RC_ASSERT((left[share] -= grant.slots) >= 0);
  }
  if (grants.empty()) {
    RC_ASSERT(pe.rule == AllocationRule::fixed || most < low);
    return;
  }
  RC_ASSERT(slots >= low);
  RC_ASSERT(slots <= most);
  if (pe.rule != AllocationRule::fixed) RC_ASSERT(slots == most);
  RC_ASSERT(cell.offer_of(grants.front()).can_be_master);
  const auto limits = most_of_each_host(cell);
  std::map<std::string, std::int64_t> here;
  for (const auto& grant : grants) here[grant.instance.host] += grant.slots;
  for (const auto& [host, granted] : here) {
    RC_ASSERT(granted <= limits.at(host));
    if (pe.rule == AllocationRule::fixed) RC_ASSERT(granted == pe.per_host);
  }
  if (pe.rule == AllocationRule::pe_slots) RC_ASSERT(here.size() == 1U);
}
