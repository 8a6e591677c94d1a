#include "core/matching/reservation_places.hpp"

#include "core/job/inside.hpp"
#include "core/matching/assumption.hpp"
#include "core/matching/class_request.hpp"
#include "core/matching/instance_condition.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/matching/node_places.hpp"
#include "core/matching/occupants.hpp"
#include "core/matching/spare_places.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac {

namespace {

// The door knows that of the owner; of others only who asks can say it. Their jobs are judged by
// what the door says of them.
std::string group_of(const Caller& owner, const ReservationRequest& request,
                     const std::string& user) {
  if (user == owner.user) return primary_group(owner);
  for (const auto& [name, group] : request.groups)
    if (name == user) return group;
  return "";
}

Result<NodeDemand, Statement> nodes_of_request(const Configuration& configuration,
                                               const ReservationRequest& request) {
  NodeDemand nodes{request.nodes, request.node_slots, request.whole_nodes, {}, request.os};
  for (const auto& [name, value] : request.least) {
    const auto* complex = configuration.complexes().find(name);
    if (!complex) return Statement{AnswerCode::unknown_resource, {{"resource", excerpt(name)}}};
    if (complex->is_text() || !complex->amount(value))
      return Statement{AnswerCode::least_is_no_amount,
                       {{"resource", complex->name}, {"value", excerpt(value)}}};
    nodes.least.push_back({complex, value});
  }
  return nodes;
}

// A site may let PluS reserve on hosts of some queues only (spec/plus.md P3.6, P3.22).
const std::vector<std::string>& queues_of(const Snapshot& state,
                                          const ReservationRequest& request) {
  const auto& of_site = state.configuration().scheduler().plus.queues;
  return request.nodes > 0 && request.queues.empty() ? of_site : request.queues;
}

} // namespace

Result<Demand, Statement> demand_of_reservation(const Snapshot& state, const Caller& owner,
                                                const ReservationRequest& request,
                                                NamedQueues queues) {
  if (!request.pe_rule.empty() && request.pe.empty())
    return Statement{AnswerCode::rule_without_pe, {{"rule", request.pe_rule}}};
  const bool checks = queues == NamedQueues::must_be_there;
  const std::vector<std::string> none;
  auto demand = resolve_demand(state.configuration(), request.resources,
                               checks ? queues_of(state, request) : none, request.pe, request.slots,
                               "advance_reservation", request.allocation_rule);
  if (!demand) return demand;
  if (checks)
    if (auto known = check_queues(state.configuration(), request.master_queues); !known)
      return known.error();
  demand->queues = queues_of(state, request), demand->master_queues = request.master_queues;
  demand->project = request.project, demand->interactive = request.immediate;
  bool names_users = false;
  for (const auto& entry : request.users) {
    if (entry.starts_with('!')) continue;
    names_users = true;
    // Whom a pattern means is seen when somebody comes (ruling in spec/rulings.md).
    if (!is_pattern(entry)) demand->users.emplace_back(entry, group_of(owner, request, entry));
  }
  if (!names_users) demand->users.emplace_back(owner.user, primary_group(owner));
  demand->checkpoint = request.checkpoint, demand->pe_rule = request.pe_rule;
  demand->spares = request.spare, demand->preempts = request.preempts;
  if (request.nodes == 0) return demand;
  auto nodes = nodes_of_request(state.configuration(), request);
  if (!nodes) return nodes.error();
  demand->nodes = std::move(*nodes);
  demand->nodes.owner = owner.user, demand->nodes.users = request.users;
  if (request.users.empty()) demand->nodes.users = {owner.user};
  return demand;
}

Demand asking_site(Demand demand, Window window, Instant now) {
  if (demand.nodes.count > 0 && demand.nodes.asks_site)
    demand.nodes.question = NodeQuestion{now, window};
  return demand;
}

namespace {

// A job on the host that would have to give way to a reservation that preempts, and may not
// (spec/plus.md P5.12); none: there is no such job.
JobNumber keeper_of(const Snapshot& state, const std::string& host, Window window) {
  for (const auto& id : state.tasks_on(host)) {
    const auto& task = *state.task(id);
    const auto& job = *state.job(id.job);
    if (!task.rerunnable && !task.deleting && !reservation_of(job, task) &&
        task.last_moment() > window.start)
      return job.number;
  }
  return {};
}

// Looks at each host once.
class Keepers {
public:
  Keepers(const Snapshot& state, const Demand& demand, Window window)
      : state_(state),
        window_(window),
        any_(demand.preempts &&
             state.configuration().scheduler().plus.not_rerunnable == NotRerunnable::refuse) {}

  JobNumber of(const std::string& host) {
    if (!any_) return {};
    const auto [it, is_new] = found_.try_emplace(host);
    if (is_new) it->second = keeper_of(state_, host, window_);
    return it->second;
  }

private:
  const Snapshot& state_;
  Window window_;
  bool any_;
  std::map<std::string, JobNumber> found_;
};

} // namespace

Candidates reservation_candidates(const Snapshot& state, const Demand& demand, Window window,
                                  Obstacles& obstacles) {
  Candidates found;
  if (obstacles.are_wanted())
    for (const auto& instance : state.configuration().instances())
      if (!instance.orphaned) could_serve(state, instance, demand, obstacles);
  const auto suitable = suitable_for(state, demand);
  Keepers keepers(state, demand, window);
  for (const auto* instance : *suitable) {
    if (const auto keeper = keepers.of(instance->name.host)) {
      obstacles.add_made([&] {
        return Statement{AnswerCode::job_keeps_host,
                         {{"host", instance->name.host}, {"job", keeper}}};
      });
      continue;
    }
    if (const auto* closing = state.closures().closing(*instance, window)) {
      obstacles.add_made([&] {
        return Statement{AnswerCode::maintenance_in_window,
                         {{"queue", instance->name.text()},
                          {"reservation", closing->number},
                          {"start", closing->window.start},
                          {"end", taken_to(closing->window.end)}}};
      });
      continue;
    }
    if (!state.closures().calendar_is_open(state.configuration(), *instance, window)) {
      obstacles.add_made([&] {
        return Statement{AnswerCode::calendar_disabled, {{"queue", instance->name.text()}}};
      });
      continue;
    }
    const bool is_well = state.healthy()[position_of(state.configuration(), *instance)];
    (is_well ? found.healthy : found.unhealthy).push_back(instance);
  }
  if (demand.nodes.count > 0)
    for (auto* list : {&found.healthy, &found.unhealthy}) *list = in_node_order(state, *list);
  return found;
}

namespace {

// Few are preferred, and there may be many candidates: these are gone through once.
void put_first(const Configuration& configuration, Instances& candidates,
               const std::vector<InstanceName>& preferred) {
  if (preferred.empty()) return;
  std::map<const QueueInstance*, std::size_t> ranks; // only looked up
  for (const auto& name : preferred)
    if (const auto* instance = configuration.instance(name)) ranks.emplace(instance, ranks.size());
  const auto rest = std::stable_partition(candidates.begin(), candidates.end(),
                                          [&](const auto* one) { return ranks.contains(one); });
  std::sort(candidates.begin(), rest,
            [&](const auto* a, const auto* b) { return ranks.at(a) < ranks.at(b); });
}

void put_last(Instances& candidates, const std::set<InstanceName>& spared) {
  if (!spared.empty())
    std::stable_partition(candidates.begin(), candidates.end(),
                          [&](const auto* one) { return !spared.contains(one->name); });
}

Found search(const Snapshot& state, const Demand& given, Window window, Instant now,
             const std::vector<InstanceName>& preferred, Obstacles obstacles,
             const std::set<InstanceName>& spared = {}) {
  std::optional<Demand> asking;
  if (given.nodes.count > 0 && state.site_policy().is_in_force())
    asking = asking_site(given, window, now);
  const auto& demand = asking ? *asking : given;
  Found found{std::nullopt, false, std::move(obstacles)};
  auto [healthy, unhealthy] = reservation_candidates(state, demand, window, found.obstacles);
  put_first(state.configuration(), healthy, preferred);
  put_first(state.configuration(), unhealthy, preferred);
  put_last(healthy, spared), put_last(unhealthy, spared);
  const auto supply = Supply::of_reservations(state, demand.preempts);
  // What the last look finds in the way is told, once.
  auto unread = Obstacles::unwanted();
  const bool is_last = unhealthy.empty() || window.start <= now;
  found.assignment = assign_with_spares(state, supply, demand, window, healthy, {},
                                        is_last ? found.obstacles : unread);
  if (unhealthy.empty()) return found;
  if (window.start <= now) {
    for (const auto* instance : unhealthy)
      found.obstacles.add_made([&] {
        std::vector<Statement> why;
        for (const auto trouble : reserved_instance_troubles(state, instance->name))
          why.push_back({trouble, {}});
        return Statement{AnswerCode::unhealthy_at_start,
                         {{"queue", instance->name.text()}, {"why", std::move(why)}}};
      });
    return found;
  }
  if (found.assignment) return found;
  healthy.insert(healthy.end(), unhealthy.begin(), unhealthy.end());
  found.assignment =
      assign_with_spares(state, supply, demand, window, healthy, {}, found.obstacles);
  found.on_unhealthy = found.assignment.has_value();
  return found;
}

} // namespace

// Obstacles name who holds what is missing, which is looked up among all there are: only for those
// who read them.
Found find_place(const Snapshot& state, const Demand& demand, Window window, Instant now,
                 const std::vector<InstanceName>& preferred, const Obstacles& obstacles) {
  auto found = search(state, demand, window, now, preferred, Obstacles::unwanted());
  if (found.assignment && !obstacles.are_wanted_beside_a_place()) return found;
  auto told = search(state, demand, window, now, preferred, obstacles);
  if (!found.assignment) return told;
  found.obstacles = std::move(told.obstacles);
  return found;
}

Found find_place_sparing(const Snapshot& state, const Demand& demand, Window window, Instant now,
                         const std::set<InstanceName>& spared) {
  auto found = search(state, demand, window, now, {}, Obstacles::unwanted(), spared);
  return found.assignment ? found : search(state, demand, window, now, {}, {}, spared);
}

Found find_place_over_holds(const Snapshot& state, const Demand& demand, Window window, Instant now,
                            const Obstacles& obstacles) {
  Assumption without_holds(state);
  for (const auto key : state.occupancy().jobs_with_holds.keys())
    without_holds.drop_holds(*state.job(key));
  return find_place(without_holds.look(), demand, window, now, {}, obstacles);
}

namespace {

bool takes_of(const std::vector<Booking>& bookings, const std::vector<Booking>& others) {
  return std::any_of(bookings.begin(), bookings.end(), [&](const Booking& booking) {
    return std::any_of(others.begin(), others.end(), [&](const Booking& other) {
      return booking.container == other.container && booking.resource.name == other.resource.name;
    });
  });
}

} // namespace

std::vector<OneHold> holds_beside(const Snapshot& state, const std::vector<Booking>& bookings,
                                  Window window) {
  std::vector<OneHold> found;
  for (const auto key : state.occupancy().jobs_with_holds.keys())
    for (const auto& hold : state.job(key)->holds)
      if (hold.window.overlaps(window) && takes_of(hold.bookings, bookings))
        found.push_back({key, hold.window});
  return found;
}

bool has_place(const Snapshot& state, const Demand& demand, Window window, Instant now) {
  return search(state, demand, window, now, {}, Obstacles::unwanted()).assignment.has_value();
}

namespace {

// One that waits is told at once, one that has begun only when the maintenance has begun, too.
const Maintenance* maintenance_of(const Snapshot& state, const Reservation& reservation,
                                  const std::string& host) {
  const bool has_begun = reservation.phase == ReservationPhase::running;
  for (const auto& one : state.occupancy().maintenances.on(host))
    if (one.window.overlaps(reservation.shape.window) && (one.has_begun || !has_begun)) return &one;
  return nullptr;
}

} // namespace

std::vector<Statement> health(const Snapshot& state, const Reservation& reservation) {
  std::vector<Statement> bad;
  for (const auto& grant : reservation.shape.grants) {
    const auto add = [&](Statement why) {
      bad.push_back({AnswerCode::reserved_queue_bad,
                     {{"queue", grant.instance.text()}, {"why", std::move(why)}}});
    };
    for (const auto trouble : reserved_instance_troubles(state, grant.instance)) add({trouble, {}});
    if (const auto* closing = maintenance_of(state, reservation, grant.instance.host))
      add({AnswerCode::is_in_maintenance,
           {{"reservation", closing->number},
            {"start", closing->window.start},
            {"end", taken_to(closing->window.end)}}});
  }
  return bad;
}

} // namespace almanac
