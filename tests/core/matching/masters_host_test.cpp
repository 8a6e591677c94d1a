// Slots over hosts where some instances can take nothing but the first slot (-scope slave).
#include "allocation_cell.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

using namespace almanac;

namespace {

OfferedCell any_cell() {
  OfferedCell cell;
  const auto count = *rc::gen::inRange<std::size_t>(1, 7);
  std::map<std::size_t, std::int64_t> on_host;
  for (std::size_t i = 0; i < count; ++i) {
    const auto host = *rc::gen::inRange<std::size_t>(0, 4);
    auto& offer = cell.offer(host, *rc::gen::inRange<std::int64_t>(1, 5));
    if (!on_host.contains(host)) on_host[host] = *rc::gen::inRange<std::int64_t>(0, 7);
    offer.on_host = on_host[host];
    offer.can_be_master = *rc::gen::inRange(0, 3) > 0;
    offer.can_be_slave = *rc::gen::inRange(0, 3) > 0;
  }
  return cell;
}

// What each host gives by the rule, with this offer as the master's.
std::map<std::size_t, std::int64_t> given(const OfferedCell& cell, const Offer& master,
                                          const ParallelEnvironment& pe) {
  std::map<std::size_t, std::int64_t> hosts;
  for (const auto& offer : cell.offers) {
    auto& slots = hosts[offer.instance->host_index];
    if (offer.can_be_slave) slots += offer.slots;
    else if (&offer == &master) ++slots;
  }
  for (const auto& offer : cell.offers) {
    auto& slots = hosts[offer.instance->host_index];
    slots = std::min(slots, offer.on_host);
    if (pe.rule == AllocationRule::fixed) slots = slots >= pe.per_host ? pe.per_host : 0;
  }
  return hosts;
}

// The most slots over all choices of the master's instance.
std::int64_t most_of(const OfferedCell& cell, const ParallelEnvironment& pe) {
  std::int64_t most = 0;
  for (const auto& master : cell.offers) {
    if (!master.can_be_master) continue;
    const auto hosts = given(cell, master, pe);
    const auto of_master = hosts.at(master.instance->host_index);
    if (of_master == 0) continue;
    std::int64_t sum = 0;
    for (const auto& [host, slots] : hosts) sum += slots;
    most = std::max(most, pe.rule == AllocationRule::pe_slots ? of_master : sum);
  }
  return most;
}

} // namespace

// C3.53.
TEST(GivenAnInstanceForTheMasterOnly, WhenItHasTheFirstSlotThenItHasNoOther) {
  OfferedCell cell;
  cell.offer(0, 4).can_be_master = false;
  cell.offer(1, 4).can_be_slave = false;
  cell.offer(2, 4).can_be_slave = false;
  EXPECT_EQ(cell.largest(with(AllocationRule::fill_up), 1, 10), "h1:1 h0:4");
  EXPECT_EQ(cell.largest(with(AllocationRule::pe_slots), 1, 10), "h1:1");
  EXPECT_EQ(cell.largest(with(AllocationRule::fixed, 2), 1, 10), "");
}

RC_GTEST_PROP(GivenInstancesForSomeSlotsOnly, WhenSlotsAreGrantedThenNoneIsWhereItMayNotBe, ()) {
  const auto cell = any_cell();
  const auto pe = with(*rc::gen::element(AllocationRule::pe_slots, AllocationRule::fill_up,
                                         AllocationRule::round_robin, AllocationRule::fixed),
                       *rc::gen::inRange<std::int64_t>(1, 4));
  for (const auto which : {MastersHost::first, MastersHost::with_most_slots}) {
    const Allocation allocation(pe, {cell.offers.begin(), cell.offers.end()}, cell.hosts, {},
                                which);
    const auto most = allocation.available();
    if (which == MastersHost::with_most_slots) RC_ASSERT(most == most_of(cell, pe));
    const auto grants = allocation.largest({{1, 100}}, std::min<std::int64_t>(most, 100));
    RC_ASSERT(grants.empty() == (most == 0));
    std::int64_t slots = 0;
    for (const auto& grant : grants) {
      const auto& offer = cell.offer_of(grant);
      RC_ASSERT(grant.slots <= offer.slots);
      if (!offer.can_be_slave) RC_ASSERT(&grant == &grants.front() && grant.slots == 1);
      slots += grant.slots;
    }
    RC_ASSERT(slots == most);
    if (!grants.empty()) RC_ASSERT(cell.offer_of(grants.front()).can_be_master);
  }
}
