#include "core/planning/assignment.hpp"

#include "core/planning/holders.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace almanac {

namespace {

constexpr std::int64_t unlimited = most_slots;

struct Levels {
  std::string queue, host;
};
Levels levels_of(const QueueInstance& instance) {
  return {queue_container(instance.name), host_container(instance.host)};
}

// How often `amount` fits into what is free in the container; unlimited where nothing is defined.
std::int64_t times(const Supply& supply, const std::string& container, const ConsumableDemand& need,
                   Window window) {
  if (need.amount <= 0) return unlimited;
  if (need.taking == Taking::alone || need.taking == Taking::beside) {
    if (!supply.capacity(container, need.resource)) return unlimited;
    const bool shared =
        need.taking == Taking::alone && supply.used(container, beside(need.resource), window) > 0;
    return shared || *supply.free(container, need.resource, window) < 1 ? 0 : unlimited;
  }
  const auto free = supply.free(container, need.resource, window);
  if (!free) return unlimited;
  return std::clamp<std::int64_t>(*free / need.amount, 0, unlimited);
}

std::string offer_text(const Supply& supply, const std::string& container, const char* source,
                       const ConsumableDemand& need, Window window, const State& state) {
  const auto free =
      std::max<std::int64_t>(0, supply.free(container, need.resource, window).value_or(0));
  const auto* complex = state.configuration.complexes().find(need.resource);
  auto text = std::string("it offers only ") + source + ":" + need.resource + "=" +
              (complex ? complex->print_amount(free) : std::to_string(free));
  const auto now_free =
      supply.free(container, need.resource, {window.start, window.start + Duration{1}}).value_or(0);
  if (now_free > free && now_free >= need.amount) text += " due to a reservation";
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
public:
  Search(const State& state, const Supply& supply, const Demand& demand, Window window,
         Reasons& reasons)
      : state_(state), supply_(supply), demand_(demand), window_(window), reasons_(reasons) {}

  std::optional<Assignment> run(const std::vector<const QueueInstance*>& candidates) {
    for (const auto& need : demand_.consumables)
      if (!collect_global(need)) return std::nullopt;
    if (demand_.pe.empty()) return sequential(candidates);
    return parallel(candidates);
  }

private:
  bool collect_global(const ConsumableDemand& need) {
    const auto fits = times(supply_, global_container, need, window_);
    const bool per_slot = need.taking == Taking::per_slot;
    if (fits < (per_slot && !demand_.slots.empty() ? lowest(demand_.slots) : 1)) {
      reasons_.add_made([&] {
        return "(" + demand_.description + ") cannot run globally because " +
               offer_text(supply_, global_container, "gc", need, window_, state_) +
               held_by(global_container, need);
      });
      return false;
    }
    if (per_slot) global_slots_ = std::min(global_slots_, fits);
    if (need.taking == Taking::per_host) global_hosts_ = std::min(global_hosts_, fits);
    return true;
  }

  // Too little of it is free on the host, or else in the queue instance.
  void explain_full(const QueueInstance& instance, const ConsumableDemand& need, bool on_host) {
    reasons_.add_made([&] {
      const auto container =
          on_host ? host_container(instance.host) : queue_container(instance.name);
      return "(" + demand_.description + ") cannot run " +
             (on_host ? "at host \"" + instance.host : "in queue \"" + instance.name) +
             "\" because " +
             offer_text(supply_, container, on_host ? "hc" : "qc", need, window_, state_) +
             held_by(container, need);
    });
  }

  // " (taken by job 3: 2)"
  std::string held_by(const std::string& container, const ConsumableDemand& need) {
    if (!supply_.counts_jobs()) return {};
    if (!holders_) holders_.emplace(state_, window_, supply_.reservation_key());
    auto who = holders_->text(container, need.resource);
    if (need.taking == Taking::alone) {
      const auto others = holders_->text(container, beside(need.resource));
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
    if (only_slots_ && !instance.host_limits_slots) {
      result.slots = std::max<std::int64_t>(0, supply_.free_slots(instance, window_));
      if (result.slots < 1) explain_full(instance, demand_.consumables.front(), false);
      return result;
    }
    for (const auto& need : demand_.consumables) count(need, instance, result);
    return result;
  }

  // What one consumable leaves of the offer.
  void count(const ConsumableDemand& need, const QueueInstance& instance, Offer& result) {
    const auto levels = levels_of(instance);
    bool defined = supply_.capacity(global_container, need.resource).has_value();
    for (const auto* container : {&levels.host, &levels.queue}) {
      if (!supply_.capacity(*container, need.resource)) continue;
      defined = true;
      const auto fits = times(supply_, *container, need, window_);
      if (fits < 1) explain_full(instance, need, container == &levels.host);
      if (need.taking == Taking::per_job) result.can_be_master = result.can_be_master && fits >= 1;
      else if (need.taking == Taking::per_slot) result.slots = std::min(result.slots, fits);
      else if (fits < 1) result.slots = 0;
    }
    if (defined || !need.asked) return;
    result.slots = 0;
    reasons_.add_made([&] {
      return "(" + demand_.description + ") cannot run in queue \"" + instance.name +
             "\" because it offers no " + need.resource;
    });
  }

  // A soft consumable is met where one unit more would fit.
  std::int64_t unmet_by(const QueueInstance& instance) const {
    auto count = unmet(state_, instance, demand_.soft);
    const auto levels = levels_of(instance);
    for (const auto& need : demand_.soft.consumables) {
      bool defined = false, fits = true;
      for (const auto* container : {&global_container, &levels.host, &levels.queue}) {
        if (!supply_.capacity(*container, need.resource)) continue;
        defined = true;
        fits = fits && times(supply_, *container, need, window_) >= 1;
      }
      count += !defined || !fits;
    }
    return count;
  }

  void explain_closed(const QueueInstance& instance) {
    reasons_.add_made([&] {
      const auto length = window_.length();
      return "cannot run in queue instance \"" + instance.name +
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
    for (const auto& [name, pe] : state_.configuration.parallel_environments()) {
      if (!matches_expression(demand_.pe, name) || !admits(pe)) continue;
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

  bool admits(const ParallelEnvironment& pe) {
    for (const auto& [user, group] : demand_.users) {
      if (user.starts_with('@') ||
          state_.configuration.allowed(user, group, pe.user_lists, pe.xuser_lists))
        continue;
      reasons_.add_made(
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
      if (std::count(list.begin(), list.end(), pe.name)) usable.push_back(found);
      else
        reasons_.add_made([&] {
          return "cannot run in queue \"" + found.instance->name + "\" because PE \"" + pe.name +
                 "\" is not in pe list";
        });
    }
    const auto pe_free = supply_.free(pe_container(pe.name), "slots", window_).value_or(0);
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
    reasons_.add_made([&] {
      return "cannot run in PE \"" + pe.name + "\" because it only offers " +
             std::to_string(std::max<std::int64_t>(0, most)) + " slots";
    });
    return {};
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
    if (only_slots_ && !instance.host_limits_slots) return;
    for (const auto& need : demand_.consumables)
      if (need.taking == Taking::per_slot)
        host.slots =
            std::min(host.slots, times(supply_, host_container(instance.host), need, window_));
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

  // What the grants take, each container's share of it together.
  Assignment finish(const std::string& pe, std::vector<Grant> grants) {
    Sums sums;
    std::set<std::string> hosts;
    for (std::size_t i = 0; i < grants.size(); ++i) {
      const auto host = host_of(grants[i].instance);
      const bool is_new_host = hosts.insert(host).second;
      for (const auto& need : demand_.consumables)
        if (need.amount > 0) add(sums, need, grants[i], host, i == 0, is_new_host);
      if (!pe.empty()) sums[{pe_container(pe), "slots"}] += grants[i].slots;
    }
    Assignment result{pe, std::move(grants), {}};
    for (const auto& [place, amount] : sums)
      result.bookings.push_back({place.first, place.second, amount});
    return result;
  }

  using Sums = std::map<std::pair<std::string, std::string>, std::int64_t>;
  void add(Sums& sums, const ConsumableDemand& need, const Grant& grant, const std::string& host,
           bool is_master, bool is_new_host) const {
    if (need.taking == Taking::per_job && !is_master) return;
    if (need.taking == Taking::per_host && !is_new_host) return;
    const bool once = need.taking == Taking::alone || need.taking == Taking::beside;
    const auto amount = need.taking == Taking::per_slot ? need.amount * grant.slots : need.amount;
    const auto resource = need.taking == Taking::beside ? beside(need.resource) : need.resource;
    for (const auto& container :
         {queue_container(grant.instance), host_container(host), global_container}) {
      if (!supply_.capacity(container, need.resource)) continue;
      auto& sum = sums[{container, resource}];
      sum = once ? amount : sum + amount;
    }
  }

  const State& state_;
  const Supply& supply_;
  const Demand& demand_;
  Window window_;
  Reasons& reasons_;
  bool only_slots_ = demand_.consumables.size() == 1; ///< as most jobs do
  std::int64_t global_slots_ = unlimited, global_hosts_ = unlimited;
  std::optional<Holders> holders_; ///< made for the first reason that names them
};

std::optional<std::int64_t> value_amount(const Configuration& configuration,
                                         const std::map<std::string, std::string>& values,
                                         const std::string& resource) {
  const auto it = values.find(resource);
  if (it == values.end()) return std::nullopt;
  const auto* complex = configuration.complexes().find(resource);
  if (!complex) return std::nullopt;
  auto amount = complex->amount(it->second);
  return amount ? std::optional(*amount) : std::nullopt;
}

} // namespace

std::optional<std::int64_t> configured_capacity(const Configuration& configuration,
                                                const std::string& container,
                                                const std::string& resource) {
  if (container == global_container)
    return value_amount(configuration, configuration.host_values("global"), resource);
  const auto name = container.substr(container.find(':') + 1);
  if (container.starts_with("host:"))
    return value_amount(configuration, configuration.host_values(name), resource);
  if (container.starts_with("pe:")) {
    const auto it = configuration.parallel_environments().find(name);
    if (it == configuration.parallel_environments().end() || resource != "slots")
      return std::nullopt;
    return it->second.slots;
  }
  const auto* instance = configuration.instance(name);
  if (!instance) return std::nullopt;
  if (resource == "slots") return instance->settings.slots;
  return value_amount(configuration, instance->settings.complex_values, resource);
}

Supply Supply::of_cluster(const State& state) {
  Supply supply;
  supply.state_ = &state, supply.ledger_ = &state.ledger();
  supply.minds_calendars_ =
      state.configuration.scheduler().most_holds > 0 || !state.reservations().empty();
  return supply;
}

Supply Supply::of_promises(const State& state, bool endless) {
  auto supply = of_cluster(state);
  supply.firm_ = state.firm_ledger(), supply.endless_ = endless;
  supply.minds_calendars_ = supply.minds_calendars_ || !endless;
  return supply;
}

Supply Supply::of_empty_cluster(const State& state) {
  auto ledger = std::make_shared<Ledger>();
  for (const auto& [key, reservation] : state.reservations())
    if (reservation.is_granted())
      ledger->book(reservation.shape.bookings, reservation.shape.window);
  Supply supply;
  supply.state_ = &state, supply.ledger_ = ledger.get(), supply.own_ledger_ = ledger;
  return supply;
}

Supply Supply::of_reservation(const State& state, const Reservation& reservation) {
  Supply supply;
  supply.state_ = &state, supply.reservation_ = &reservation,
  supply.ledger_ = &state.ledger_of(reservation.key);
  return supply;
}

std::optional<std::int64_t> Supply::capacity(const std::string& container,
                                             const std::string& resource) const {
  if (!reservation_) return configured_capacity(state_->configuration, container, resource);
  for (const auto& booking : reservation_->shape.bookings)
    if (booking.container == container && booking.resource == resource) return booking.amount;
  return std::nullopt;
}

std::int64_t Supply::reservation_key() const { return reservation_ ? reservation_->key : 0; }

std::int64_t Supply::used(const std::string& container, const std::string& resource,
                          Window window) const {
  auto most = ledger_->used(container, resource, window);
  if (firm_ && endless_) window.end = Instant::never();
  if (firm_) most = std::max(most, firm_->used(container, resource, window));
  return most;
}

bool Supply::is_open(const QueueInstance& instance, Window window) const {
  return !minds_calendars_ || instance.settings.calendar.empty() ||
         state_->closures().is_open(state_->configuration, instance, window);
}

std::optional<std::int64_t> Supply::free(const std::string& container, const std::string& resource,
                                         Window window) const {
  const auto total = capacity(container, resource);
  if (!total) return std::nullopt;
  return *total - used(container, resource, window);
}

// What is asked most often: the cluster's own slots need no name.
std::int64_t Supply::free_slots(const QueueInstance& instance, Window window) const {
  if (!is_open(instance, window)) return 0;
  if (reservation_ || own_ledger_ || firm_)
    return free(queue_container(instance.name), "slots", window).value_or(0);
  const auto& sites = state_->sites();
  return instance.settings.slots -
         sites.slots(site_of(state_->configuration, instance)).max(window);
}

std::optional<Assignment> assign(const State& state, const Supply& supply, const Demand& demand,
                                 Window window, const std::vector<const QueueInstance*>& candidates,
                                 Reasons& reasons) {
  return Search(state, supply, demand, window, reasons).run(candidates);
}

} // namespace almanac
