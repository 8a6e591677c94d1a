// Where quota sets overlap, slots are found that are not there in the order of preference (quotas Q4.24).
#include "allocation_cell.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <set>

using namespace almanac;

namespace {

// h1 and h2 share 2, and so do h2 and h3; h2 is the first.
OfferedCell two_sets_that_share_h2() {
  OfferedCell cell;
  cell.offer(2, 20), cell.offer(1, 20), cell.offer(3, 20);
  cell.share(2, {1, 0});
  cell.share(2, {0, 2});
  return cell;
}

} // namespace

// Q4.24
TEST(GivenTwoQuotaSetsThatShareAHost, WhenItIsTheFirstThenOthersCanHaveTheirSlotsNevertheless) {
  const auto cell = two_sets_that_share_h2();
  EXPECT_EQ(cell.largest(fill_up, 4, 4), "h1:2 h3:2");
  EXPECT_EQ(cell.largest(round_robin, 4, 4), "h1:2 h3:2");
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 2), 4, 4), "h1:2 h3:2");
  EXPECT_EQ(cell.largest(fill_up, 3, 8), "h1:2 h3:2") << "a range shrinks to what fits";
  EXPECT_EQ(cell.largest(fill_up, 3, 3), "h2:1 h1:1 h3:1") << "the first keeps what it can";
  EXPECT_EQ(cell.largest(fill_up, 5, 8), "");
}

TEST(GivenTwoQuotaSetsThatShareAHost, WhenThereIsEnoughInOrderThenTheFirstGives) {
  const auto cell = two_sets_that_share_h2();
  EXPECT_EQ(cell.largest(fill_up, 2, 2), "h2:2");
  EXPECT_EQ(cell.largest(fill_up, 1, 1), "h2:1");
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 2), 2, 2), "h2:2");
  EXPECT_EQ(cell.largest(pe_slots, 2, 2), "h2:2");
}

// Q4.24: all.q has 4 on all hosts, h1 and h2 have 4 in all queues; long.q may be on h1 only.
TEST(GivenALimitOfAQueueAndOneOfHosts, WhenBothAreMetThenTheQueueGivesOnAnotherHost) {
  OfferedCell cell;
  for (std::size_t host = 1; host <= 3; ++host) cell.offer(host, 20);
  cell.offer(1, 20);
  cell.share(4, {0, 1, 2});
  cell.share(4, {0, 1, 3});
  EXPECT_EQ(cell.largest(fill_up, 8, 8), "h1:4 h3:4");
  EXPECT_EQ(cell.largest(fill_up, 1, 99), "h1:4 h3:4");
  EXPECT_EQ(cell.largest(fill_up, 4, 4), "h1:4");
}

// S7.22
TEST(GivenOnlyOneInstanceForTheMaster, WhenSlotsAreExchangedThenItKeepsTheFirst) {
  auto cell = two_sets_that_share_h2();
  cell.offers[1].can_be_master = cell.offers[2].can_be_master = false;
  EXPECT_EQ(cell.largest(fill_up, 4, 4), "") << "without h2 there is no master";
  EXPECT_EQ(cell.largest(fill_up, 3, 4), "h2:1 h1:1 h3:1");
  cell.offers[0].can_be_master = false, cell.offers[2].can_be_master = true;
  EXPECT_EQ(cell.largest(fill_up, 4, 4), "h3:2 h1:2") << "the master's host is the first";
}

// Q4.24: limits of a hundred hosts, each of which is in two sets with its neighbours.
TEST(GivenALongChainOfQuotaSets, WhenEachHostSharesWithTheNextThenAllThatFitsIsFound) {
  OfferedCell cell;
  const std::size_t hosts = 101;
  for (std::size_t i = 0; i < hosts; ++i)
    cell.offer((i + 1) % hosts, 20); // the second is the first
  for (std::size_t i = 0; i + 1 < hosts; ++i) cell.share(20, {i, i + 1});
  const auto allocation = cell.allocation(fill_up);
  EXPECT_EQ(allocation.available(51 * 20), 51 * 20) << "each second host gives all";
}

namespace {

// Up to four instances on three hosts, with up to three sets of two limits each.
OfferedCell any_small_cell() {
  OfferedCell cell;
  const auto any = [](std::int64_t least, std::int64_t end) {
    return *rc::gen::inRange<std::int64_t>(least, end);
  };
  const auto count = static_cast<std::size_t>(any(1, 5));
  std::vector<std::int64_t> on_host(3);
  for (auto& slots : on_host) slots = any(1, 9);
  for (std::size_t i = 0; i < count; ++i) {
    const auto host = static_cast<std::size_t>(any(0, 3));
    auto& offer = cell.offer(host, any(1, 9));
    offer.on_host = on_host[host];
    offer.can_be_master = any(0, 4) > 0;
  }
  for (auto sets = any(1, 4); sets > 0; --sets) {
    std::vector<std::vector<std::size_t>> rules(3); // the last one limits nothing
    for (std::size_t i = 0; i < count; ++i) rules[static_cast<std::size_t>(any(0, 3))].push_back(i);
    rules.pop_back();
    for (const auto& among : rules) cell.share(any(1, 9), among);
  }
  return cell;
}

// Whether slots from each offer are what the rule makes, within all that is shared.
bool is_possible(const OfferedCell& cell, const ParallelEnvironment& pe,
                 const std::vector<std::int64_t>& slots) {
  auto left = cell.shared.left;
  std::vector<std::int64_t> on_host(cell.hosts, 0);
  bool has_master = false;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto host = cell.offers[i].instance->host_index;
    if ((on_host[host] += slots[i]) > cell.offers[i].on_host) return false;
    for (const auto share : cell.shared.shares[i])
      if ((left[share] -= slots[i]) < 0) return false;
    has_master = has_master || (slots[i] > 0 && cell.offers[i].can_be_master);
  }
  const auto used = std::count_if(on_host.begin(), on_host.end(), [](auto n) { return n > 0; });
  const bool is_whole = std::all_of(on_host.begin(), on_host.end(),
                                    [&](auto n) { return n == 0 || n == pe.per_host; });
  return has_master && (pe.rule != AllocationRule::pe_slots || used == 1) &&
         (pe.rule != AllocationRule::fixed || is_whole);
}

// Each number of slots that can be had, as all ways to take them say.
std::set<std::int64_t> all_possible(const OfferedCell& cell, const ParallelEnvironment& pe) {
  std::set<std::int64_t> found;
  std::vector<std::int64_t> slots(cell.offers.size(), 0);
  const std::function<void(std::size_t, std::int64_t)> look_at = [&](std::size_t i,
                                                                     std::int64_t sum) {
    if (i == slots.size()) {
      if (is_possible(cell, pe, slots)) found.insert(sum);
      return;
    }
    for (slots[i] = 0; slots[i] <= cell.offers[i].slots; ++slots[i]) look_at(i + 1, sum + slots[i]);
    slots[i] = 0;
  };
  look_at(0, 0);
  return found;
}

} // namespace

// Q4.24
RC_GTEST_PROP(GivenAnySmallCell, WhenQuotaSetsOverlapThenWhatCanBeHadIsThatOfExhaustiveSearch, ()) {
  const auto cell = any_small_cell();
  const auto pe = with(*rc::gen::element(AllocationRule::pe_slots, AllocationRule::fill_up,
                                         AllocationRule::round_robin, AllocationRule::fixed),
                       *rc::gen::inRange<std::int64_t>(1, 4));
  const auto possible = all_possible(cell, pe);
  for (std::int64_t wanted = 1; wanted <= 20; ++wanted) {
    const auto allocation = cell.allocation(pe);
    const auto most = std::min(wanted, allocation.available(wanted));
    const auto grants = allocation.largest({{wanted, wanted}}, most);
    RC_ASSERT(grants.empty() == !possible.contains(wanted));
    if (grants.empty()) continue;
    std::vector<std::int64_t> slots;
    for (const auto& offer : cell.offers) {
      slots.push_back(0);
      for (const auto& grant : grants)
        if (grant.instance == offer.instance->name) slots.back() += grant.slots;
    }
    RC_ASSERT(is_possible(cell, pe, slots));
    RC_ASSERT(cell.offer_of(grants.front()).can_be_master);
  }
  const auto allocation = cell.allocation(pe);
  RC_ASSERT(allocation.available() == (possible.empty() ? 0 : *possible.rbegin()));
}
