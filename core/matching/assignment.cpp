#include "core/matching/assignment.hpp"

#include "core/matching/instance_obstacles.hpp"
#include "core/matching/pool.hpp"
#include "core/planning/occupants.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace almanac {

namespace {

constexpr std::int64_t unlimited = most_slots;

// "it offers only hc:slots=2"
std::string offer_text(const Supply& supply, const Pool& pool, const ConsumableDemand& asked,
                       Window window, const State& state) {
  const auto& capacity = *pool.capacity;
  const auto& name = asked.resource;
  const auto free = std::max<std::int64_t>(0, supply.free(capacity, window).value_or(0));
  const auto* complex = state.configuration.complexes().find(name);
  auto text = std::string("it offers only ") +
              (pool.kind == Container::Kind::global ? "gc:"
               : pool.kind == Container::Kind::host ? "hc:"
                                                    : "qc:") +
              name + "=" + (complex ? complex->print_amount(free) : std::to_string(free));
  const auto now_free =
      supply.free(capacity, {window.start, window.start + Duration{1}}).value_or(0);
  if (now_free > free && now_free >= asked.amount) text += " due to a reservation";
  return text;
}

// One instance with the number of slots that it can give.
struct Offer {
  const QueueInstance* instance;
  std::int64_t slots;
  bool can_be_master;
  std::int64_t unmet = 0;  ///< soft requests, for each slot
  std::size_t next = none; ///< the next one on the same host
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

class Search {
  using Sums = std::map<std::pair<Container, Resource>, std::int64_t>;

public:
  Search(const State& state, const Supply& supply, const Demand& demand, Window window,
         Obstacles& obstacles)
      : state_(state),
        supply_(supply),
        demand_(demand),
        window_(window),
        obstacles_(obstacles),
        consumptions_(consumptions_of(demand, supply)),
        soft_(consumptions_of(demand.soft, supply)) {}

  std::optional<Assignment> run(const std::vector<const QueueInstance*>& candidates) {
    for (const auto& consumption : consumptions_)
      if (!collect_global(consumption)) return std::nullopt;
    if (demand_.pe.empty()) return sequential(candidates);
    return parallel(candidates);
  }

  // What the grants take, each container's share of it together.
  Assignment finish(const std::string& pe, std::vector<Grant> grants) {
    Sums sums;
    std::set<std::size_t> hosts;
    for (std::size_t i = 0; i < grants.size(); ++i) {
      const auto& instance = *state_.configuration.instance(grants[i].instance);
      const bool is_new_host = hosts.insert(instance.host_index).second;
      for (const auto& consumption : consumptions_)
        if (consumption.asked.amount > 0)
          add(sums, consumption, grants[i], instance, i == 0, is_new_host);
      if (!pe.empty()) sums[{Container::pe(pe), "slots"}] += grants[i].slots;
    }
    Assignment result{pe, std::move(grants), {}};
    for (const auto& [place, amount] : sums)
      result.bookings.push_back({place.first, place.second, amount});
    return result;
  }

private:
  bool collect_global(const Consumption& consumption) {
    const auto pool = pool_of_cell(consumption);
    if (!pool) return true;
    const auto fits = times_free(supply_, *pool, consumption.asked, window_);
    const bool per_slot = consumption.asked.taking == Taking::per_slot;
    if (fits < (per_slot && !demand_.slots.empty() ? lowest(demand_.slots) : 1)) {
      obstacles_.add_made([&] {
        return "(" + demand_.description + ") cannot run globally because " +
               offer_text(supply_, *pool, consumption.asked, window_, state_) +
               held_by(*pool, consumption.asked);
      });
      return false;
    }
    if (per_slot) global_slots_ = std::min(global_slots_, fits);
    if (consumption.asked.taking == Taking::per_host) global_hosts_ = std::min(global_hosts_, fits);
    return true;
  }

  // Too little of it is free on the host, or else in the queue instance.
  void explain_full(const Pool& pool, const ConsumableDemand& asked) {
    obstacles_.add_made([&] {
      return "(" + demand_.description + ") cannot run " +
             (pool.kind == Container::Kind::host ? "at host \"" + pool.instance->name.host
                                                 : "in queue \"" + pool.instance->name.text()) +
             "\" because " + offer_text(supply_, pool, asked, window_, state_) +
             held_by(pool, asked);
    });
  }

  // " (taken by job 3: 2)"
  std::string held_by(const Pool& pool, const ConsumableDemand& consumption) {
    if (!supply_.counts_jobs()) return {};
    const auto container = pool.container();
    if (!holders_)
      holders_.emplace(state_, window_, supply_.reservation_key(), supply_.is_of_promises());
    auto who = holders_->text(container, consumption.resource);
    if (consumption.taking == Taking::alone) {
      const auto others = holders_->text(container, Resource(consumption.resource, true));
      who += (who.empty() || others.empty() ? "" : ", ") + others;
    }
    return who.empty() ? who : " (taken by " + who + ")";
  }

  // Slots that the instance can give by itself; a reason is noted when it is none.
  Offer offer(const QueueInstance& instance) {
    Offer result{&instance, unlimited, true};
    if (!supply_.is_open(instance, window_)) {
      explain_closed(instance);
      result.slots = 0;
      return result;
    }
    result.can_be_master = demand_.master_queues.empty() ||
                           is_among(state_.configuration, demand_.master_queues, instance);
    if (!demand_.soft.is_empty()) result.unmet = unmet_by(instance);
    for (const auto& consumption : consumptions_) count(consumption, instance, result);
    return result;
  }

  // What one consumable leaves of the offer.
  void count(const Consumption& consumption, const QueueInstance& instance, Offer& result) {
    const auto taking = consumption.asked.taking;
    const auto pools = pools_of(consumption, instance);
    for (const auto& pool : pools) {
      if (pool.kind == Container::Kind::global) continue; // see collect_global()
      const auto fits = times_free(supply_, pool, consumption.asked, window_);
      if (fits < 1) explain_full(pool, consumption.asked);
      if (taking == Taking::per_job) result.can_be_master = result.can_be_master && fits >= 1;
      else if (taking == Taking::per_slot) result.slots = std::min(result.slots, fits);
      else if (fits < 1) result.slots = 0;
    }
    if (!pools.empty() || !consumption.asked.asked) return;
    result.slots = 0;
    obstacles_.add_made([&] {
      return "(" + demand_.description + ") cannot run in queue \"" + instance.name.text() +
             "\" because it offers no " + consumption.asked.resource;
    });
  }

  // A soft consumable is met where one unit more would fit.
  std::int64_t unmet_by(const QueueInstance& instance) const {
    auto count = unmet(state_, instance, demand_.soft);
    for (const auto& consumption : soft_) {
      const auto pools = pools_of(consumption, instance);
      const bool fits = std::all_of(pools.begin(), pools.end(), [&](const Pool& pool) {
        return times_free(supply_, pool, consumption.asked, window_) >= 1;
      });
      count += pools.empty() || !fits;
    }
    return count;
  }

  void explain_closed(const QueueInstance& instance) {
    obstacles_.add_made([&] {
      const auto length = window_.length();
      return "cannot run in queue instance \"" + instance.name.text() +
             (length.is_endless()
                  ? "\" because its calendar closes it and the job has no run-time limit"
                  : "\" because the job runtime of " + std::to_string(length.seconds) +
                        " sec. is too long");
    });
  }

  std::optional<Assignment> sequential(const std::vector<const QueueInstance*>& candidates) {
    std::optional<Offer> best;
    for (const auto* instance : candidates) {
      const auto found = offer(*instance);
      if (found.slots < 1 || !found.can_be_master) continue;
      if (!best || found.unmet < best->unmet) best = found;
      if (best->unmet == 0) break;
    }
    if (!best) return std::nullopt;
    return finish("", {{best->instance->name, 1}});
  }

  std::optional<Assignment> parallel(const std::vector<const QueueInstance*>& candidates) {
    std::vector<Offer> offers;
    for (const auto* instance : candidates) {
      const auto found = offer(*instance);
      if (found.slots > 0) offers.push_back(found);
    }
    if (!demand_.soft.is_empty())
      std::stable_sort(offers.begin(), offers.end(),
                       [](const Offer& a, const Offer& b) { return a.unmet < b.unmet; });
    std::optional<Assignment> best;
    std::int64_t best_slots = 0, best_unmet = 0;
    for (const auto& [name, today] : state_.configuration.parallel_environments()) {
      if (!matches_expression(demand_.pe, name)) continue;
      const auto* reservation = supply_.reservation();
      if (reservation ? !is_granted_with(*reservation, name) : !admits(today)) continue;
      const auto pe = reservation ? as_granted(*reservation, today) : today;
      auto grants = largest(pe, offers);
      std::int64_t slots = 0;
      for (const auto& grant : grants) slots += grant.slots;
      const auto unmet = unmet_in_all(grants, offers);
      if (slots < best_slots || slots == 0 || (slots == best_slots && unmet >= best_unmet))
        continue;
      best_slots = slots, best_unmet = unmet;
      best = finish(name, std::move(grants));
    }
    return best;
  }

  std::int64_t unmet_in_all(const std::vector<Grant>& grants,
                            const std::vector<Offer>& offers) const {
    std::int64_t sum = 0;
    if (demand_.soft.is_empty()) return sum;
    for (const auto& grant : grants)
      for (const auto& found : offers)
        if (found.instance->name == grant.instance) sum += grant.slots * found.unmet;
    return sum;
  }

  bool is_granted_with(const Reservation& reservation, const std::string& pe) {
    if (reservation.shape.pe == pe) return true;
    obstacles_.add_made([&] {
      return "cannot run in PE \"" + pe + "\" because advance reservation " +
             to_string(reservation.number) + " was granted " +
             (reservation.shape.pe.empty() ? "without a PE"
                                           : "with PE \"" + reservation.shape.pe + "\"");
    });
    return false;
  }

  // The rule by which the reservation was granted is that of its jobs, too.
  static ParallelEnvironment as_granted(const Reservation& reservation, ParallelEnvironment pe) {
    const auto& rule = reservation.shape.allocation_rule;
    if (!rule.empty()) check(pe.set_rule(rule).ok(), "a rule that was granted by is one");
    return pe;
  }

  bool admits(const ParallelEnvironment& pe) {
    for (const auto& [user, group] : demand_.users) {
      if (user.starts_with('@') ||
          state_.configuration.allowed(user, group, pe.user_lists, pe.xuser_lists))
        continue;
      obstacles_.add_made(
          [&] { return "has no permission for parallel environment \"" + pe.name + "\""; });
      return false;
    }
    return true;
  }

  // The grants for the largest number of slots that the range allows and that can be had.
  std::vector<Grant> largest(const ParallelEnvironment& pe, const std::vector<Offer>& offers) {
    std::vector<Offer> usable;
    for (const auto& found : offers) {
      const auto& list = found.instance->settings.pe_list;
      if (supply_.reservation() || std::count(list.begin(), list.end(), pe.name))
        usable.push_back(found);
      else
        obstacles_.add_made([&] {
          return "cannot run in queue \"" + found.instance->name.text() + "\" because PE \"" +
                 pe.name + "\" is not in pe list";
        });
    }
    const auto pe_free = supply_.free_in(pe, window_);
    auto hosts = by_host(usable);
    if (static_cast<std::int64_t>(hosts.size()) > global_hosts_)
      hosts.resize(static_cast<std::size_t>(global_hosts_));
    std::int64_t available = 0;
    for (const auto& host : hosts) {
      if (pe.rule == AllocationRule::pe_slots) available = std::max(available, host.slots);
      else if (pe.rule == AllocationRule::fixed)
        available += host.slots >= pe.per_host ? pe.per_host : 0;
      else available += host.slots;
    }
    const auto most = std::min({available, pe_free, global_slots_, highest(demand_.slots)});
    for (auto slots = most; slots >= 1; --slots) {
      if (!contains(demand_.slots, slots)) continue;
      if (pe.rule == AllocationRule::fixed && slots % pe.per_host != 0) continue;
      auto grants = distribute(pe, hosts, usable, slots);
      if (!grants.empty()) return grants;
    }
    obstacles_.add_made([&] {
      const auto each = std::to_string(pe.per_host);
      return "cannot run in PE \"" + pe.name + "\" because " +
             (divides(pe)
                  ? "it only offers " + std::to_string(std::max<std::int64_t>(0, most)) + " slots"
                  : "it gives " + each + " slots to each host, and no multiple of " + each +
                        " is asked for");
    });
    return {};
  }

  // Whether hosts that get a fixed number of slots each can make a number that is asked for.
  bool divides(const ParallelEnvironment& pe) const {
    return pe.rule != AllocationRule::fixed ||
           std::any_of(demand_.slots.begin(), demand_.slots.end(), [&](const SlotRange& range) {
             return range.high / pe.per_host * pe.per_host >= range.low;
           });
  }

  // What a host gives: its instances are the chain of offers from `first` on.
  struct HostOffer {
    std::int64_t slots = 0;
    std::size_t first = Offer::none, last = Offer::none;
  };

  // Instances of one host share what the host offers. A host that can take the master comes first.
  std::vector<HostOffer> by_host(std::vector<Offer>& offers) {
    std::vector<HostOffer> hosts;
    hosts.reserve(offers.size());
    std::vector<std::size_t> places(state_.configuration.instance_hosts(), Offer::none);
    for (std::size_t i = 0; i < offers.size(); ++i) {
      auto& place = places[offers[i].instance->host_index];
      if (place == Offer::none) {
        place = hosts.size();
        hosts.push_back({0, i, i});
      } else {
        offers[hosts[place].last].next = i;
        hosts[place].last = i;
      }
      hosts[place].slots += offers[i].slots;
    }
    for (auto& host : hosts) {
      limit_by_host(host, *offers[host.first].instance);
      master_first(host, offers);
    }
    const auto first = std::find_if(hosts.begin(), hosts.end(), [&](const HostOffer& host) {
      return host.slots > 0 && offers[host.first].can_be_master;
    });
    if (first == hosts.end()) return {};
    std::rotate(hosts.begin(), first, first + 1);
    return hosts;
  }

  // The instance that can take the master gives the host's first slots.
  static void master_first(HostOffer& host, std::vector<Offer>& offers) {
    for (auto before = host.first; before != Offer::none; before = offers[before].next) {
      if (offers[host.first].can_be_master) return;
      const auto at = offers[before].next;
      if (at == Offer::none || !offers[at].can_be_master) continue;
      offers[before].next = offers[at].next;
      offers[at].next = host.first;
      host.first = at;
      return;
    }
  }

  void limit_by_host(HostOffer& host, const QueueInstance& instance) {
    for (const auto& consumption : consumptions_)
      if (consumption.asked.taking == Taking::per_slot)
        for (const auto& pool : pools_of(consumption, instance))
          if (pool.kind == Container::Kind::host)
            host.slots =
                std::min(host.slots, times_free(supply_, pool, consumption.asked, window_));
  }

  std::vector<Grant> distribute(const ParallelEnvironment& pe, const std::vector<HostOffer>& hosts,
                                const std::vector<Offer>& offers, std::int64_t slots) {
    std::vector<std::int64_t> taken(hosts.size(), 0);
    auto missing = slots;
    switch (pe.rule) {
    case AllocationRule::pe_slots:
      for (std::size_t i = 0; i < hosts.size() && missing > 0; ++i)
        if (hosts[i].slots >= slots && offers[hosts[i].first].can_be_master)
          taken[i] = slots, missing = 0;
      break;
    case AllocationRule::fill_up:
      for (std::size_t i = 0; i < hosts.size(); ++i) {
        taken[i] = std::min(missing, hosts[i].slots);
        missing -= taken[i];
      }
      break;
    case AllocationRule::round_robin:
      for (bool progress = true; progress && missing > 0;) {
        progress = false;
        for (std::size_t i = 0; i < hosts.size() && missing > 0; ++i)
          if (taken[i] < hosts[i].slots) ++taken[i], --missing, progress = true;
      }
      break;
    case AllocationRule::fixed:
      for (std::size_t i = 0; i < hosts.size() && missing > 0; ++i)
        if (hosts[i].slots >= pe.per_host) taken[i] = pe.per_host, missing -= pe.per_host;
      break;
    }
    if (missing != 0) return {};
    std::vector<Grant> grants;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      for (auto at = hosts[i].first; at != Offer::none && taken[i] > 0; at = offers[at].next) {
        const auto here = std::min(taken[i], offers[at].slots);
        if (here == 0) continue;
        grants.push_back({offers[at].instance->name, here});
        taken[i] -= here;
      }
    }
    return grants;
  }

  static void add(Sums& sums, const Consumption& what, const Grant& grant,
                  const QueueInstance& instance, bool is_master, bool is_new_host) {
    const auto& consumption = what.asked;
    if (consumption.taking == Taking::per_job && !is_master) return;
    if (consumption.taking == Taking::per_host && !is_new_host) return;
    const bool once = consumption.taking == Taking::alone || consumption.taking == Taking::beside;
    const auto amount = consumption.taking == Taking::per_slot ? consumption.amount * grant.slots
                                                               : consumption.amount;
    const Resource resource(consumption.resource, consumption.taking == Taking::beside);
    for (const auto& pool : pools_of(what, instance)) {
      auto& sum = sums[{pool.container(), resource}];
      sum = once ? amount : sum + amount;
    }
  }

  const State& state_;
  const Supply& supply_;
  const Demand& demand_;
  Window window_;
  Obstacles& obstacles_;
  std::vector<Consumption> consumptions_, soft_;
  std::int64_t global_slots_ = unlimited, global_hosts_ = unlimited;
  std::optional<Occupants> holders_; ///< made for the first reason that names them
};

} // namespace

bool is_free(const Supply& supply, const Demand& demand, const std::vector<Booking>& bookings,
             Window window) {
  return std::all_of(bookings.begin(), bookings.end(), [&](const Booking& booking) {
    const auto used = [&](const Resource& resource) {
      return supply.used(booking.container, resource, window);
    };
    for (const auto& consumption : demand.consumables) {
      if (consumption.taking == Taking::beside &&
          booking.resource == Resource(consumption.resource, true))
        return used(consumption.resource) == 0;
      if (consumption.taking == Taking::alone && booking.resource == consumption.resource &&
          used(Resource(consumption.resource, true)) > 0)
        return false;
    }
    const auto capacity = supply.capacity(booking.container, booking.resource);
    return capacity && used(booking.resource) + booking.amount <= *capacity;
  });
}

Assignment assignment_of(const State& state, const Supply& supply, const Demand& demand,
                         const std::string& pe, std::vector<Grant> grants) {
  auto unread = Obstacles::unwanted();
  return Search(state, supply, demand, {}, unread).finish(pe, std::move(grants));
}

std::optional<Assignment> assign(const State& state, const Supply& supply, const Demand& demand,
                                 Window window, const std::vector<const QueueInstance*>& candidates,
                                 Obstacles& obstacles) {
  return Search(state, supply, demand, window, obstacles).run(candidates);
}

} // namespace almanac
