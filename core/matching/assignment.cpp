#include "core/matching/assignment.hpp"

#include "core/matching/allocation.hpp"
#include "core/matching/bookings.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/matching/node_places.hpp"
#include "core/matching/offers.hpp"
#include "core/matching/quota_limits.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// The rule by which the reservation was granted is that of its jobs, too, that have none of their own.
const std::string& rule_of(const Demand& demand, const Reservation* inside) {
  return inside && demand.pe_rule.empty() ? inside->shape.allocation_rule : demand.pe_rule;
}

ParallelEnvironment with_rule(const std::string& rule, ParallelEnvironment pe) {
  if (!rule.empty() && !is_allocation_pe(pe.name))
    check(pe.set_rule(rule).ok(), "a rule that was checked is one");
  return pe;
}

// Soft requests that are not met, in all slots together.
std::int64_t unmet_in(const std::vector<Grant>& grants, const std::vector<Offer>& offers) {
  std::int64_t sum = 0;
  for (const auto& grant : grants)
    for (const auto& offer : offers)
      if (offer.instance->name == grant.instance) sum += grant.slots * offer.unmet;
  return sum;
}

// The first hosts of those that are looked at, until they have so many slots by the rule of the PE,
// whatever their further instances offer, and one of them can be the master's.
class EnoughHosts {
public:
  EnoughHosts(const ParallelEnvironment& pe, std::int64_t slots, std::size_t hosts)
      : pe_(pe), missing_(slots), is_in_(hosts, 0) {}

  bool needs(const QueueInstance& instance) const {
    return missing_ > 0 || !has_master_ || is_in_[instance.host_index];
  }
  void add(const Offer& offer) {
    if (std::exchange(is_in_[offer.instance->host_index], 1)) return;
    const auto slots = counted(std::min(offer.slots, offer.on_host));
    if (slots > 0 && offer.can_be_master) has_master_ = true;
    missing_ -= slots;
  }

private:
  std::int64_t counted(std::int64_t slots) const {
    switch (pe_.rule) {
    case AllocationRule::fixed: return slots >= pe_.per_host ? pe_.per_host : 0;
    case AllocationRule::round_robin: return std::min<std::int64_t>(slots, 1);
    case AllocationRule::pe_slots: return slots >= missing_ ? missing_ : 0; // on one host
    default: return slots;
    }
  }

  const ParallelEnvironment& pe_;
  std::int64_t missing_;
  std::vector<char> is_in_; ///< by host
  bool has_master_ = false;
};

bool may_use(const Reservation& reservation, const std::string& pe) {
  const auto& granted = reservation.shape.pe;
  return reservation.takes_any_pe() || granted == pe ||
         (is_allocation_pe(granted) && is_allocation_pe(pe));
}

// ---- slots over hosts ---------------------------------------------------------------------------

struct Spread {
  std::vector<Grant> grants;
  std::int64_t available; ///< slots that there are by the rule
};

struct Spreading {
  const ParallelEnvironment& pe;
  const Demand& demand;
  std::size_t hosts_of_cell;
  std::int64_t most, most_hosts;

  Spread from(MastersHost masters_host, std::vector<Offer> offers, SharedSlots shared) const {
    Allocation allocation(pe, std::move(offers), hosts_of_cell, std::move(shared), masters_host);
    allocation.limit_hosts(most_hosts);
    const auto available = allocation.available(most);
    return {allocation.largest(demand.slots, std::min(most, available)), available};
  }

  // An instance for the master alone may be what leaves enough slots to the others.
  Spread best(std::vector<Offer> offers, SharedSlots shared) const {
    if (!demand.has_slave_scope())
      return from(MastersHost::first, std::move(offers), std::move(shared));
    auto first = from(MastersHost::first, offers, shared);
    if (slots_of(first.grants) >= most) return first;
    auto other = from(MastersHost::with_most_slots, std::move(offers), std::move(shared));
    return slots_of(other.grants) > slots_of(first.grants) ? other : first;
  }
};

// ---- why a parallel environment is none for the request -----------------------------------------

bool is_granted_with(const Reservation& reservation, const std::string& pe, Obstacles& obstacles) {
  if (may_use(reservation, pe)) return true;
  obstacles.add_made([&] {
    Statement other{AnswerCode::granted_without_pe,
                    {{"pe", pe}, {"reservation", reservation.number}}};
    if (!reservation.shape.pe.empty()) {
      other.code = AnswerCode::granted_with_pe;
      other.details.emplace_back("granted", reservation.shape.pe);
    }
    return other;
  });
  return false;
}

bool admits(const Configuration& configuration, const ParallelEnvironment& pe, const Demand& demand,
            Obstacles& obstacles) {
  if (lets_in(configuration, demand, pe.user_lists, pe.xuser_lists)) return true;
  obstacles.add_made([&] {
    return Statement{AnswerCode::no_permission_for_pe, {{"pe", pe.name}}};
  });
  return false;
}

void explain_few(const ParallelEnvironment& pe, const Demand& demand, std::int64_t most,
                 Obstacles& obstacles) {
  obstacles.add_made([&] {
    if (can_make_any(pe, demand.slots))
      return Statement{AnswerCode::pe_offers_few,
                       {{"pe", pe.name}, {"slots", std::max<std::int64_t>(0, most)}}};
    return Statement{AnswerCode::pe_rule_not_met, {{"pe", pe.name}, {"per_host", pe.per_host}}};
  });
}

// ---- the search ---------------------------------------------------------------------------------

// One request in one window.
class Search {
public:
  Search(const Snapshot& state, const Supply& supply, const Demand& demand, Window window,
         Obstacles& obstacles)
      : state_(state),
        supply_(supply),
        demand_(demand),
        window_(window),
        obstacles_(obstacles),
        offers_(state, supply, demand, window, obstacles) {}

  std::optional<Assignment> run(const Instances& candidates) {
    const auto cell = offers_.of_cell();
    if (!cell) {
      explain_quotas(candidates);
      return std::nullopt;
    }
    return demand_.pe.empty() ? sequential(candidates) : parallel(*cell, candidates);
  }

  // A job in no parallel environment, for which the limits that are the same everywhere leave a slot.
  std::optional<Assignment> run(const Instances& candidates, const QuotaLimits& quotas) {
    return offers_.of_cell() ? sequential(candidates, quotas) : std::nullopt;
  }

private:
  // Each parallel environment that is asked for; -alloc means one that has no object.
  template <class Take> void each_environment(Take take) const {
    if (const auto without_object = allocation_pe(demand_.pe)) return take(*without_object);
    for (const auto& [name, pe] : state_.configuration().parallel_environments())
      if (matches_expression(demand_.pe, name)) take(pe);
  }

  // Quotas deny before the cell, a host or a queue does (spec/quotas.md Q1.4), and so are named where
  // these deny, too.
  void explain_quotas(const Instances& candidates) {
    if (!obstacles_.are_wanted()) return;
    const auto explain = [&](const std::string& pe) {
      const QuotaLimits quotas(state_, supply_, demand_, pe);
      if (!quotas.any()) return;
      quotas.everywhere(window_, obstacles_);
      for (const auto* instance : candidates) quotas.admits(*instance, window_, obstacles_);
    };
    if (demand_.pe.empty()) return explain("");
    each_environment([&](const ParallelEnvironment& pe) { explain(pe.name); });
  }

  std::optional<Assignment> sequential(const Instances& candidates) {
    const QuotaLimits quotas(state_, supply_, demand_, "");
    if (quotas.any() && quotas.everywhere(window_, obstacles_).slots < 1) return std::nullopt;
    return sequential(candidates, quotas);
  }

  // The first of those with the fewest soft requests unmet.
  std::optional<Assignment> sequential(const Instances& candidates, const QuotaLimits& quotas) {
    std::optional<Offer> best;
    for (const auto* instance : candidates) {
      const auto offer = offers_.of(*instance);
      const bool is_free = offer.slots > 0 && offer.can_be_master;
      const bool asks_quotas = quotas.any() && (is_free || obstacles_.are_wanted());
      if (asks_quotas && !quotas.admits(*instance, window_, obstacles_)) continue;
      if (!is_free) continue;
      if (!best || offer.unmet < best->unmet) best = offer;
      if (best->unmet == 0) break;
    }
    if (!best) return std::nullopt;
    return with_bookings("", {{best->instance->name, 1}});
  }

  // The PE with the most slots, then that with the fewest soft requests unmet, then the first.
  std::optional<Assignment> parallel(const CellOffer& cell, const Instances& candidates) {
    std::optional<Assignment> best;
    std::int64_t best_slots = 0, best_unmet = 0;
    const auto look_in = [&](const ParallelEnvironment& today) {
      const auto* reservation = supply_.reservation();
      const bool is_admitted = reservation
                                   ? is_granted_with(*reservation, today.name, obstacles_)
                                   : admits(state_.configuration(), today, demand_, obstacles_);
      if (!is_admitted) return;
      auto grants = largest(with_rule(rule_of(demand_, reservation), today), cell, candidates);
      const auto slots = slots_of(grants);
      const auto unmet = demand_.soft.is_empty() ? 0 : unmet_in(grants, all_offers(candidates));
      if (slots < best_slots || slots == 0 || (slots == best_slots && unmet >= best_unmet)) return;
      best_slots = slots, best_unmet = unmet;
      best = with_bookings(today.name, std::move(grants));
    };
    each_environment(look_in);
    return best;
  }

  // Those with slots, in the order of preference; looked for once.
  const std::vector<Offer>& all_offers(const Instances& candidates) {
    if (found_) return *found_;
    auto& offers = found_.emplace();
    for (const auto* instance : candidates) {
      const auto offer = offers_.of(*instance);
      if (offer.slots > 0) offers.push_back(offer);
    }
    if (!demand_.soft.is_empty())
      std::stable_sort(offers.begin(), offers.end(),
                       [](const Offer& a, const Offer& b) { return a.unmet < b.unmet; });
    return offers;
  }

  // Whether the first hosts with enough slots are all that the rule of the PE looks at: nobody reads
  // what is wrong with others, and none of them is better.
  bool first_are_enough(const QuotaLimits& quotas) const {
    return !obstacles_.are_wanted() && demand_.soft.is_empty() && !demand_.has_slave_scope() &&
           !quotas.any() && state_.configuration().parallel_environments().contains(demand_.pe);
  }

  // Those of the first hosts that give so many slots by the rule, with all their instances.
  std::vector<Offer> first_offers(const ParallelEnvironment& pe, const Instances& candidates,
                                  std::int64_t slots) {
    EnoughHosts enough(pe, slots, state_.configuration().instance_hosts());
    std::vector<Offer> offers;
    for (const auto* instance : candidates) {
      if (!enough.needs(*instance) || !is_listed(pe, *instance)) continue;
      const auto offer = offers_.of(*instance);
      if (offer.slots < 1) continue;
      offers.push_back(offer), enough.add(offer);
    }
    return offers;
  }

  bool is_listed(const ParallelEnvironment& pe, const QueueInstance& instance) const {
    const auto& list = instance.settings.pe_list;
    const auto* inside = supply_.reservation();
    return (inside && !inside->takes_any_pe()) || is_allocation_pe(pe.name) ||
           std::find(list.begin(), list.end(), pe.name) != list.end();
  }

  // The grants for the largest number of slots that is asked for and that can be had.
  std::vector<Grant> largest(const ParallelEnvironment& pe, const CellOffer& cell,
                             const Instances& candidates) {
    const auto pe_free = supply_.free_in(pe, window_);
    auto most = std::min({pe_free, cell.slots, highest(demand_.slots)});
    auto most_hosts = cell.hosts;
    SharedSlots shared;
    const QuotaLimits quotas(state_, supply_, demand_, pe.name);
    auto listed = first_are_enough(quotas) ? first_offers(pe, candidates, most)
                                           : offers_in(pe, all_offers(candidates));
    std::vector<Offer> offered; // before quotas; only where somebody reads what they took away
    if (quotas.any()) {
      const auto room = quotas.everywhere(window_, obstacles_);
      if (obstacles_.are_wanted()) {
        offered = listed;
        for (const auto* instance : candidates)
          if (is_listed(pe, *instance)) quotas.admits(*instance, window_, obstacles_);
      }
      most = std::min(most, room.slots), most_hosts = std::min(most_hosts, room.hosts);
      shared = quotas.narrow(listed, window_, obstacles_);
    }
    auto spread =
        Spreading{pe, demand_, state_.configuration().instance_hosts(), most, most_hosts}.best(
            std::move(listed), std::move(shared));
    most = std::min(most, spread.available);
    if (spread.grants.empty()) {
      explain_few(pe, demand_, most, obstacles_), offers_.explain_pe(pe);
      quotas.explain_few(offered, window_, obstacles_);
    }
    return std::move(spread.grants);
  }

  std::vector<Offer> offers_in(const ParallelEnvironment& pe, const std::vector<Offer>& offers) {
    std::vector<Offer> listed;
    for (const auto& offer : offers) {
      if (is_listed(pe, *offer.instance)) listed.push_back(offer);
      else
        obstacles_.add_made([&] {
          return Statement{AnswerCode::pe_not_in_list,
                           {{"queue", offer.instance->name.text()}, {"pe", pe.name}}};
        });
    }
    return listed;
  }

  Assignment with_bookings(const std::string& pe, std::vector<Grant> grants) {
    auto bookings = bookings_of(state_.configuration(), offers_.consumptions(), pe, grants);
    return {pe, std::move(grants), std::move(bookings)};
  }

  const Snapshot& state_;
  const Supply& supply_;
  const Demand& demand_;
  Window window_;
  Obstacles& obstacles_;
  Offers offers_;
  std::optional<std::vector<Offer>> found_;
};

} // namespace

Assignment assignment_of(const Snapshot& state, const Supply& supply, const Demand& demand,
                         const std::string& pe, std::vector<Grant> grants) {
  if (demand.nodes.whole) return whole_nodes(state, supply, demand, std::move(grants));
  auto bookings = bookings_of(state.configuration(), consumptions_of(demand, supply), pe, grants);
  return {pe, std::move(grants), std::move(bookings)};
}

std::optional<Assignment> assign(const Snapshot& state, const Supply& supply, const Demand& demand,
                                 Window window, const std::vector<const QueueInstance*>& candidates,
                                 Obstacles& obstacles) {
  if (demand.nodes.count > 0)
    return assign_nodes(state, supply, demand, window, candidates, obstacles);
  return Search(state, supply, demand, window, obstacles).run(candidates);
}

std::optional<Assignment> assign_on(const Snapshot& state, const Supply& supply,
                                    const Demand& demand, Window window,
                                    const QueueInstance& instance, const QuotaLimits& quotas,
                                    Obstacles& obstacles) {
  return Search(state, supply, demand, window, obstacles).run({&instance}, quotas);
}

} // namespace almanac
