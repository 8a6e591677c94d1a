#include "core/matching/assignment.hpp"

#include "core/matching/allocation.hpp"
#include "core/matching/bookings.hpp"
#include "core/matching/offers.hpp"
#include "core/matching/quota_limits.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>

namespace almanac {

namespace {

// The rule by which the reservation was granted is that of its jobs, too.
ParallelEnvironment as_granted(const Reservation& reservation, ParallelEnvironment pe) {
  const auto& rule = reservation.shape.allocation_rule;
  if (!rule.empty() && !is_allocation_pe(pe.name))
    check(pe.set_rule(rule).ok(), "a rule that was granted by is one");
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
    if (!cell) return std::nullopt;
    return demand_.pe.empty() ? sequential(candidates) : parallel(*cell, candidates);
  }

private:
  // The first of those with the fewest soft requests unmet.
  std::optional<Assignment> sequential(const Instances& candidates) {
    const QuotaLimits quotas(state_, supply_, demand_, "");
    if (quotas.any() && quotas.everywhere(window_, obstacles_).slots < 1) return std::nullopt;
    std::optional<Offer> best;
    for (const auto* instance : candidates) {
      const auto offer = offers_.of(*instance);
      if (offer.slots < 1 || !offer.can_be_master) continue;
      if (quotas.any() && !quotas.admits(*instance, window_, obstacles_)) continue;
      if (!best || offer.unmet < best->unmet) best = offer;
      if (best->unmet == 0) break;
    }
    if (!best) return std::nullopt;
    return with_bookings("", {{best->instance->name, 1}});
  }

  // The PE with the most slots, then that with the fewest soft requests unmet, then the first.
  std::optional<Assignment> parallel(const CellOffer& cell, const Instances& candidates) {
    const auto offers = all_offers(candidates);
    std::optional<Assignment> best;
    std::int64_t best_slots = 0, best_unmet = 0;
    const auto look_in = [&](const ParallelEnvironment& today) {
      const auto* reservation = supply_.reservation();
      if (reservation ? !is_granted_with(*reservation, today.name) : !admits(today)) return;
      auto grants = largest(reservation ? as_granted(*reservation, today) : today, cell, offers);
      std::int64_t slots = 0;
      for (const auto& grant : grants) slots += grant.slots;
      const auto unmet = demand_.soft.is_empty() ? 0 : unmet_in(grants, offers);
      if (slots < best_slots || slots == 0 || (slots == best_slots && unmet >= best_unmet)) return;
      best_slots = slots, best_unmet = unmet;
      best = with_bookings(today.name, std::move(grants));
    };
    if (const auto without_object = allocation_pe(demand_.pe)) look_in(*without_object);
    else
      for (const auto& [name, pe] : state_.configuration().parallel_environments())
        if (matches_expression(demand_.pe, name)) look_in(pe);
    return best;
  }

  // Those with slots, in the order of preference.
  std::vector<Offer> all_offers(const Instances& candidates) {
    std::vector<Offer> offers;
    for (const auto* instance : candidates) {
      const auto offer = offers_.of(*instance);
      if (offer.slots > 0) offers.push_back(offer);
    }
    if (!demand_.soft.is_empty())
      std::stable_sort(offers.begin(), offers.end(),
                       [](const Offer& a, const Offer& b) { return a.unmet < b.unmet; });
    return offers;
  }

  bool is_granted_with(const Reservation& reservation, const std::string& pe) {
    const auto& granted = reservation.shape.pe;
    if (granted == pe || (is_allocation_pe(granted) && is_allocation_pe(pe))) return true;
    obstacles_.add_made([&] {
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

  bool admits(const ParallelEnvironment& pe) {
    for (const auto& [user, group] : demand_.users) {
      if (user.starts_with('@') ||
          state_.configuration().allowed(user, group, pe.user_lists, pe.xuser_lists))
        continue;
      obstacles_.add_made([&] {
        return Statement{AnswerCode::no_permission_for_pe, {{"pe", pe.name}}};
      });
      return false;
    }
    return true;
  }

  // The grants for the largest number of slots that is asked for and that can be had.
  std::vector<Grant> largest(const ParallelEnvironment& pe, const CellOffer& cell,
                             const std::vector<Offer>& offers) {
    auto listed = offers_in(pe, offers);
    const auto pe_free = supply_.free_in(pe, window_);
    auto most = std::min({pe_free, cell.slots, highest(demand_.slots)});
    auto most_hosts = cell.hosts;
    SharedSlots shared;
    if (const QuotaLimits quotas(state_, supply_, demand_, pe.name); quotas.any()) {
      const auto room = quotas.everywhere(window_, obstacles_);
      most = std::min(most, room.slots), most_hosts = std::min(most_hosts, room.hosts);
      shared = quotas.narrow(listed, window_, obstacles_);
    }
    Allocation allocation(pe, std::move(listed), state_.configuration().instance_hosts(),
                          std::move(shared));
    allocation.limit_hosts(most_hosts);
    most = std::min(most, allocation.available());
    auto grants = allocation.largest(demand_.slots, most);
    if (grants.empty()) explain_few(pe, most), offers_.explain_pe(pe);
    return grants;
  }

  std::vector<Offer> offers_in(const ParallelEnvironment& pe, const std::vector<Offer>& offers) {
    std::vector<Offer> listed;
    for (const auto& offer : offers) {
      const auto& list = offer.instance->settings.pe_list;
      if (supply_.reservation() || is_allocation_pe(pe.name) ||
          std::count(list.begin(), list.end(), pe.name))
        listed.push_back(offer);
      else
        obstacles_.add_made([&] {
          return Statement{AnswerCode::pe_not_in_list,
                           {{"queue", offer.instance->name.text()}, {"pe", pe.name}}};
        });
    }
    return listed;
  }

  void explain_few(const ParallelEnvironment& pe, std::int64_t most) {
    obstacles_.add_made([&] {
      if (can_make_any(pe, demand_.slots))
        return Statement{AnswerCode::pe_offers_few,
                         {{"pe", pe.name}, {"slots", std::max<std::int64_t>(0, most)}}};
      return Statement{AnswerCode::pe_rule_not_met, {{"pe", pe.name}, {"per_host", pe.per_host}}};
    });
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
};

} // namespace

Assignment assignment_of(const Snapshot& state, const Supply& supply, const Demand& demand,
                         const std::string& pe, std::vector<Grant> grants) {
  auto bookings = bookings_of(state.configuration(), consumptions_of(demand, supply), pe, grants);
  return {pe, std::move(grants), std::move(bookings)};
}

std::optional<Assignment> assign(const Snapshot& state, const Supply& supply, const Demand& demand,
                                 Window window, const std::vector<const QueueInstance*>& candidates,
                                 Obstacles& obstacles) {
  return Search(state, supply, demand, window, obstacles).run(candidates);
}

} // namespace almanac
