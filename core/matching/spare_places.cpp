#include "core/matching/spare_places.hpp"

#include "core/base/bisect.hpp"
#include "core/matching/bookings.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace almanac {

namespace {

// The slots of each host, the most first.
std::vector<std::int64_t> sizes_of(const std::vector<Grant>& grants) {
  std::map<std::string, std::int64_t> slots;
  for (const auto& grant : grants) slots[grant.instance.host] += grant.slots;
  std::vector<std::int64_t> sizes;
  for (const auto& [host, count] : slots) sizes.push_back(count);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  return sizes;
}

bool lists(const QueueInstance& instance, const std::string& pe) {
  const auto& list = instance.settings.pe_list;
  return pe.empty() || is_allocation_pe(pe) ||
         std::find(list.begin(), list.end(), pe) != list.end();
}

// What of the ranges is not more than that.
std::vector<SlotRange> up_to(std::vector<SlotRange> ranges, std::int64_t most) {
  std::erase_if(ranges, [&](const SlotRange& range) { return range.low > most; });
  for (auto& range : ranges) range.high = std::min(range.high, most);
  return ranges;
}

class SpareSearch {
public:
  SpareSearch(const Snapshot& state, const Supply& supply, const Demand& demand, Window window,
              Assignment& assignment)
      : state_(state),
        supply_(supply.asked_by(Claim::spare)),
        demand_(demand),
        window_(window),
        into_(assignment) {
    demand_.pe = allocation_pe_name("$pe_slots"); // on one host
    demand_.soft = {};
    for (const auto& grant : into_.grants) taken_.insert(grant.instance.host);
  }

  std::int64_t run(const std::vector<const QueueInstance*>& candidates,
                   const std::vector<Grant>& preferred) {
    put_in_order(candidates, preferred);
    const auto sizes = sizes_of(into_.grants);
    if (sizes.empty()) return 0;
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < demand_.spares; ++i) {
      const auto size = sizes[std::min<std::size_t>(i, sizes.size() - 1)];
      if (add(size)) ++found;
      // Others are as large, or smaller: only then one of them may do.
      else if (size == sizes.back()) break;
    }
    return found;
  }

private:
  void put_in_order(const std::vector<const QueueInstance*>& candidates,
                    const std::vector<Grant>& preferred) {
    std::set<std::string> first;
    for (const auto& grant : preferred) first.insert(grant.instance.host);
    for (const auto* candidate : candidates)
      if (!taken_.contains(candidate->name.host) && lists(*candidate, into_.pe))
        candidates_.push_back(candidate);
    std::stable_partition(candidates_.begin(), candidates_.end(), [&](const auto* candidate) {
      return first.contains(candidate->name.host);
    });
  }

  bool add(std::int64_t slots) {
    demand_.slots = {{slots, slots}};
    auto unread = Obstacles::unwanted();
    const auto place = assign(state_, supply_, demand_, window_, candidates_, unread);
    if (!place) return false;
    const auto host = place->grants.front().instance.host;
    std::erase_if(candidates_, [&](const auto* one) { return one->name.host == host; });
    into_.spares.insert(into_.spares.end(), place->grants.begin(), place->grants.end());
    for (const auto& booking : place->bookings)
      if (booking.container.kind == Container::Kind::host ||
          booking.container.kind == Container::Kind::queue)
        into_.spare_bookings.push_back(booking);
    return true;
  }

  const Snapshot& state_;
  const Supply supply_;
  Demand demand_;
  Window window_;
  Assignment& into_;
  std::set<std::string> taken_; ///< hosts
  std::vector<const QueueInstance*> candidates_;
};

} // namespace

std::int64_t add_spares(const Snapshot& state, const Supply& supply, const Demand& demand,
                        Window window, const std::vector<const QueueInstance*>& candidates,
                        const std::vector<Grant>& preferred, Assignment& assignment) {
  assignment.spares.clear(), assignment.spare_bookings.clear();
  if (demand.spares <= 0) return 0;
  return SpareSearch(state, supply, demand, window, assignment).run(candidates, preferred);
}

std::optional<Assignment> assign_with_spares(const Snapshot& state, const Supply& supply,
                                             const Demand& demand, Window window,
                                             const std::vector<const QueueInstance*>& candidates,
                                             const std::vector<Grant>& preferred,
                                             Obstacles& obstacles) {
  auto place = assign(state, supply, demand, window, candidates, obstacles);
  if (!place || demand.spares <= 0) return place;
  auto found = add_spares(state, supply, demand, window, candidates, preferred, *place);
  if (found >= demand.spares) return place;
  if (!demand.slots.empty()) {
    auto fewer = demand;
    auto unread = Obstacles::unwanted();
    std::optional<Assignment> best;
    // What the rule of the PE cannot make is no reason to look for less.
    bisect(lowest(demand.slots) - 1, slots_of(place->grants), [&](std::int64_t most) {
      fewer.slots = up_to(demand.slots, most);
      auto smaller = assign(state, supply, fewer, window, candidates, unread);
      if (!smaller) return true;
      found = add_spares(state, supply, demand, window, candidates, preferred, *smaller);
      if (found < demand.spares) return false;
      best = std::move(smaller);
      return true;
    });
    if (best) return best;
  }
  obstacles.add_made([&] {
    return Statement{AnswerCode::too_few_spare_hosts, {{"found", found}, {"spare", demand.spares}}};
  });
  return std::nullopt;
}

} // namespace almanac
