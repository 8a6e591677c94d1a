#include "core/matching/node_places.hpp"

#include "core/host/operating_system.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/matching/node_policy.hpp"
#include "core/matching/pool.hpp"
#include "core/matching/reservation_places.hpp"
#include "core/matching/whole_hosts.hpp"
#include "core/reservation/transaction.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace almanac {

namespace {

template <class Take> void each_on_host(const Snapshot& state, std::size_t host_index, Take take) {
  const auto& instances = state.configuration().instances();
  for (const auto position : state.instance_order().on_host(host_index)) take(instances[position]);
}

// The demand as one host is asked for: its slots, wherever on the host they are.
Demand on_one_host(Demand demand) {
  demand.nodes = {}, demand.soft = {};
  demand.pe = allocation_pe_name("$pe_slots");
  return demand;
}

void drop_what_is_taken_once(Demand& demand) {
  std::erase_if(demand.consumables,
                [](const auto& need) { return need.taking == Taking::per_job; });
}

// Of what a cell has, for a host with so many slots.
std::int64_t taken_of_cell(const ConsumableDemand& asked, std::int64_t slots, bool is_first) {
  if (is_exclusive(asked)) return 0;
  if (asked.taking == Taking::per_job && !is_first) return 0;
  return asked.resource == "slots" ? slots : asked.amount;
}

std::int64_t slots_of_node(const Node& node) {
  std::int64_t slots = 0;
  for (const auto* instance : node.instances) slots += instance->settings.slots;
  return slots;
}

// Without a search: most hosts of a busy cell have too few.
std::int64_t free_on(const Supply& supply, const CapacityIndex& slots, const Node& node,
                     Window window) {
  std::int64_t free = 0;
  for (const auto* instance : node.instances)
    free += supply.free(slots.of_queue(*instance), window).value_or(0);
  return free;
}

class NodeSearch {
public:
  NodeSearch(const Snapshot& state, const Supply& supply, const Demand& demand, Window window,
             Obstacles& obstacles)
      : state_(state),
        supply_(supply),
        demand_(demand),
        part_(on_one_host(demand)),
        window_(window),
        obstacles_(obstacles),
        slots_(supply.capacity_index("slots")),
        consumptions_(consumptions_of(demand, supply)) {
    if (demand.nodes.question && state.site_policy().is_in_force())
      policy_.emplace(state, demand.nodes, obstacles);
  }

  bool take(const Node& node) {
    if (!suits(*node.instances.front())) return false;
    const bool is_taken = demand_.nodes.whole ? take_whole(node) : take_part(node);
    if (is_taken && policy_) policy_->allocate(node);
    return is_taken;
  }

  /// Why they are too few.
  Statement shortage() const {
    auto by_site = policy_ ? policy_->shortage(count()) : std::nullopt;
    if (by_site) return std::move(*by_site);
    return {AnswerCode::not_enough_nodes,
            {{"requested", demand_.nodes.count}, {"available", count()}}};
  }

  std::int64_t count() const { return static_cast<std::int64_t>(hosts_.size()); }
  const std::vector<std::string>& hosts() const { return hosts_; }

  Assignment assignment() {
    if (demand_.nodes.whole) return whole_nodes(state_, supply_, demand_, std::move(grants_));
    return {"", std::move(grants_), bookings_of(booked_)};
  }

private:
  // ---- what each of them has to be --------------------------------------------------------------

  bool suits(const QueueInstance& instance) {
    const auto& facts = state_.host_of(instance).facts;
    const auto& system = demand_.nodes.system;
    if (!system.empty() && !is_operating_system(facts.arch, system)) {
      obstacles_.add_made([&] {
        return Statement{AnswerCode::node_of_other_system,
                         {{"host", instance.name.host}, {"wanted", system}, {"arch", facts.arch}}};
      });
      return false;
    }
    return std::all_of(demand_.nodes.least.begin(), demand_.nodes.least.end(),
                       [&](const FixedDemand& least) { return has_least(instance, least); });
  }

  bool has_least(const QueueInstance& instance, const FixedDemand& least) {
    const auto& complex = *least.complex;
    const auto there = most_offered(state_, instance, complex);
    const auto wanted = complex.amount(least.value);
    if (there && wanted && *there >= *wanted) return true;
    obstacles_.add_made([&] {
      Statement few{
          AnswerCode::node_has_less,
          {{"host", instance.name.host}, {"resource", complex.name}, {"wanted", least.value}}};
      if (there) few.details.emplace_back("amount", complex.print_amount(*there));
      return few;
    });
    return false;
  }

  // The site is asked last: its conditions are beside the normal ones.
  bool is_reservable(const Node& node) { return !policy_ || policy_->admits(node); }

  // ---- all of a host ----------------------------------------------------------------------------

  bool take_whole(const Node& node) {
    const auto slots = slots_of_node(node);
    if (slots < std::max<std::int64_t>(1, demand_.nodes.slots) || !is_empty(node) ||
        !has_amounts(node)) {
      explain(node, std::max(slots, demand_.nodes.slots));
      return false;
    }
    if (!is_reservable(node) || !take_of_cell(slots)) return false;
    for (const auto* instance : node.instances)
      if (instance->settings.slots > 0)
        grants_.push_back({instance->name, instance->settings.slots});
    hosts_.push_back(node.host());
    return true;
  }

  // Who has anything on a host has slots of an instance there; the rest is asked once none are taken.
  bool is_empty(const Node& node) const {
    bool empty = true;
    each_on_host(state_, node.host_index, [&](const QueueInstance& instance) {
      empty = empty && supply_.used(slots_.of_queue(instance), window_) == 0;
    });
    if (!empty) return false;
    const auto all = all_of_host(state_, *node.instances.front());
    return std::all_of(all.begin(), all.end(), [&](const Booking& booking) {
      return supply_.used(booking.container, booking.resource, window_) == 0;
    });
  }

  bool has_amounts(const Node& node) const {
    const auto& instance = *node.instances.front();
    return std::all_of(consumptions_.begin(), consumptions_.end(), [&](const auto& consumption) {
      const auto& asked = consumption.asked;
      if (asked.resource == "slots" || !asked.asked) return true;
      const auto pools = pools_of(consumption, instance);
      return !pools.empty() && std::all_of(pools.begin(), pools.end(), [&](const Pool& pool) {
        return pool.kind == Container::Kind::global || *pool.capacity->total >= asked.amount;
      });
    });
  }

  bool take_of_cell(std::int64_t slots) {
    Amounts more;
    for (const auto& consumption : consumptions_)
      if (pool_of_cell(consumption))
        if (const auto amount = taken_of_cell(consumption.asked, slots, hosts_.empty()))
          more[{Container{}, consumption.asked.resource}] += amount;
    return add_of_cell(more);
  }

  // The supply does not know of what the hosts before it take.
  bool add_of_cell(const Amounts& more) {
    for (const auto& [place, amount] : more) {
      const auto total = supply_.capacity(place.first, place.second);
      const auto free =
          total.value_or(0) - supply_.used(place.first, place.second, window_) - cell_[place];
      if (free >= amount) continue;
      const auto* complex = state_.configuration().complexes().find(place.second.name);
      obstacles_.add_made([&, resource = place.second.name] {
        return Statement{
            AnswerCode::offers_few_globally,
            {{"request", demand_.description},
             {"resource", resource},
             {"amount", complex ? complex->print_amount(std::max<std::int64_t>(0, free))
                                : std::to_string(free)}}};
      });
      return false;
    }
    for (const auto& [place, amount] : more) cell_[place] += amount;
    return true;
  }

  // As somebody would be told who asks for all of its slots; else that it is in use.
  void explain(const Node& node, std::int64_t slots) {
    if (!obstacles_.are_wanted()) return;
    auto all = part_;
    all.slots = {{slots, slots}};
    if (assign(state_, supply_, all, window_, node.instances, obstacles_))
      obstacles_.add({AnswerCode::node_in_use, {{"host", node.host()}}});
  }

  // ---- some slots of a host ---------------------------------------------------------------------

  bool take_part(const Node& node) {
    const auto wanted = demand_.nodes.slots > 0 ? demand_.nodes.slots : slots_of_node(node);
    if (wanted < 1) return false;
    if (!obstacles_.are_wanted() && free_on(supply_, slots_, node, window_) < wanted) return false;
    part_.slots = {{wanted, wanted}};
    auto place = assign(state_, supply_, part_, window_, node.instances, obstacles_);
    if (!place || !is_reservable(node)) return false;
    Amounts of_cell;
    for (const auto& [container, resource, amount] : place->bookings)
      if (container.kind == Container::Kind::global) of_cell[{container, resource}] += amount;
    if (!add_of_cell(of_cell)) return false;
    for (const auto& [container, resource, amount] : place->bookings) {
      auto& sum = booked_[{container, resource}];
      sum = is_taken_once(resource) ? amount : sum + amount;
    }
    if (hosts_.empty()) drop_what_is_taken_once(part_);
    grants_.insert(grants_.end(), place->grants.begin(), place->grants.end());
    hosts_.push_back(node.host());
    return true;
  }

  bool is_taken_once(const Resource& resource) const {
    return std::any_of(consumptions_.begin(), consumptions_.end(), [&](const auto& one) {
      return is_exclusive(one.asked) && one.asked.resource == resource.name;
    });
  }

  const Snapshot& state_;
  const Supply& supply_;
  const Demand& demand_;
  Demand part_;
  const Window window_;
  Obstacles& obstacles_;
  const CapacityIndex& slots_;
  const std::vector<Consumption> consumptions_;
  std::optional<NodePolicy> policy_; ///< nothing: the site has no conditions, or is not asked
  std::vector<std::string> hosts_;
  std::vector<Grant> grants_;
  Amounts booked_; ///< on parts of hosts
  Amounts cell_;   ///< of it, what the cell has
};

} // namespace

std::vector<Node> nodes_of(const Instances& candidates) {
  std::vector<Node> nodes;
  std::map<std::size_t, std::size_t> places; // only looked up
  for (const auto* candidate : candidates) {
    const auto [place, is_new] = places.emplace(candidate->host_index, nodes.size());
    if (is_new) nodes.push_back({candidate->host_index, {}});
    nodes[place->second].instances.push_back(candidate);
  }
  return nodes;
}

Instances in_node_order(const Snapshot& state, const Instances& candidates) {
  auto nodes = nodes_of(candidates);
  order_nodes(state, nodes);
  Instances ordered;
  ordered.reserve(candidates.size());
  for (const auto& node : nodes)
    ordered.insert(ordered.end(), node.instances.begin(), node.instances.end());
  return ordered;
}

std::optional<Assignment> assign_nodes(const Snapshot& state, const Supply& supply,
                                       const Demand& demand, Window window,
                                       const Instances& candidates, Obstacles& obstacles) {
  NodeSearch search(state, supply, demand, window, obstacles);
  for (const auto& node : nodes_of(candidates)) {
    if (search.count() == demand.nodes.count) break;
    search.take(node);
  }
  if (search.count() == demand.nodes.count) return search.assignment();
  obstacles.add_made([&] { return search.shortage(); });
  return std::nullopt;
}

Assignment whole_nodes(const Snapshot& state, const Supply& supply, const Demand& demand,
                       std::vector<Grant> grants) {
  const auto& configuration = state.configuration();
  std::map<std::size_t, std::string> hosts;
  std::map<std::string, std::int64_t> slots;
  std::set<InstanceName> granted;
  for (const auto& grant : grants) {
    if (const auto* instance = configuration.instance(grant.instance))
      hosts.emplace(instance->host_index, instance->name.host);
    slots[grant.instance.host] += grant.slots, granted.insert(grant.instance);
  }
  std::vector<Booking> bookings;
  for (const auto& [index, host] : hosts) {
    each_on_host(state, index, [&](const QueueInstance& instance) {
      if (!instance.orphaned || granted.contains(instance.name))
        book_whole(configuration, instance, bookings);
    });
    book_whole(configuration, host, bookings);
  }
  for (const auto& consumption : consumptions_of(demand, supply)) {
    if (!pool_of_cell(consumption)) continue;
    bool is_first = true;
    for (const auto& [host, of_host] : slots)
      if (const auto amount =
              taken_of_cell(consumption.asked, of_host, std::exchange(is_first, false)))
        bookings.push_back({Container{}, consumption.asked.resource, amount});
  }
  return {"", std::move(grants), bookings_of(amounts_of(bookings))};
}

std::vector<Booking> all_of_host(const Snapshot& state, const QueueInstance& instance) {
  std::vector<Booking> all;
  each_on_host(state, instance.host_index,
               [&](const QueueInstance& one) { book_whole(state.configuration(), one, all); });
  book_whole(state.configuration(), instance.name.host, all);
  return all;
}

std::vector<std::string> available_nodes(const Snapshot& state, const Demand& given, Window window,
                                         Instant now) {
  const auto demand = asking_site(given, window, now);
  auto unread = Obstacles::unwanted();
  auto [candidates, unhealthy] = reservation_candidates(state, demand, window, unread);
  if (window.start > now) candidates.insert(candidates.end(), unhealthy.begin(), unhealthy.end());
  const auto supply = Supply::of_reservations(state, demand.preempts);
  NodeSearch search(state, supply, demand, window, unread);
  for (const auto& node : nodes_of(candidates)) search.take(node);
  return search.hosts();
}

} // namespace almanac
