#include "core/matching/placement.hpp"

#include "core/configuration/process_limit.hpp"
#include "core/execution/fence.hpp"
#include "core/matching/bookings.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/matching/pool.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <set>

namespace almanac {

// The shortest fence fires before anybody counts on it.
static_assert(fence_for(least_reschedule_unknown) > fence_margin + fence_margin);

namespace {

// The time a job may hold its place, and whether a reservation leaves it enough.
std::optional<std::string> time_obstacle(const State& state, const Job& job,
                                         const Reservation& reservation, Instant now) {
  const auto offset = state.configuration.scheduler().duration_offset;
  const auto left = reservation.shape.window.end - offset - now;
  const auto limit = sure_length(job.request);
  if (left.seconds <= 0 || (!limit.is_endless() && limit > left))
    return "advance reservation " + to_string(reservation.number) + " leaves " +
           std::to_string(std::max<std::int64_t>(0, left.seconds)) + " s" +
           (limit.is_endless() ? std::string()
                               : ", " + std::to_string(limit.seconds) + " s are asked for");
  return std::nullopt;
}

bool is_suitable(const ClassRequest& wanted, const QueueInstance* instance) {
  return std::binary_search(wanted.suitable->begin(), wanted.suitable->end(), instance);
}

Instances now_in_cluster(const State& state, const ClassRequest& wanted, bool everywhere,
                         Instant now, Obstacles& obstacles) {
  Instances candidates;
  const auto look_at = [&](const QueueInstance* instance) {
    if (auto reason = present_obstacle(state, *instance, wanted.demand, now, true))
      obstacles.add(*reason);
    else candidates.push_back(instance);
  };
  if (everywhere)
    for (const auto* instance : *wanted.suitable) look_at(instance);
  else
    for (const auto& place : state.instance_order().open()) {
      const auto* instance = &state.configuration.instances()[place.position];
      if (is_suitable(wanted, instance)) look_at(instance);
    }
  return candidates;
}

// What a job that starts now may take: without a limit it must keep clear of all reservations.
Supply present_supply(const State& state, const ClassRequest& wanted) {
  return wanted.endless ? Supply::of_promises(state, true) : Supply::of_cluster(state);
}

// A sequential job takes the first instance that will do: the others need no look.
std::optional<Placement> first_place(const State& state, const ClassRequest& wanted, Instant now,
                                     Obstacles& obstacles) {
  const Window window{now, now + wanted.length};
  const auto supply = present_supply(state, wanted);
  const auto& instances = state.configuration.instances();
  for (const auto& place : state.instance_order().open()) {
    const auto* instance = &instances[place.position];
    if (!is_suitable(wanted, instance) ||
        present_obstacle(state, *instance, wanted.demand, now, true))
      continue;
    if (auto assignment = assign(state, supply, wanted.demand, window, {instance}, obstacles))
      return Placement{std::move(*assignment), window};
  }
  return std::nullopt;
}

Instances now_in_reservation(const State& state, const ClassRequest& wanted,
                             const Reservation& reservation, Instant now, Obstacles& obstacles) {
  Instances candidates;
  for (const auto& instance : state.configuration.instances()) {
    if (reservation.slots_on(instance.name) == 0) {
      obstacles.add_made([&] {
        return "cannot run in queue \"" + instance.name.text() +
               "\" because it was not reserved by advance reservation " +
               to_string(reservation.number);
      });
      continue;
    }
    auto reason = static_obstacle(state, instance, wanted.demand);
    if (!reason) reason = present_obstacle(state, instance, wanted.demand, now, false);
    if (reason) obstacles.add(*reason);
    else candidates.push_back(&instance);
  }
  return candidates;
}

// Where something may be held: what is switched off now is not counted on, its load is not known.
Instances in_future(const State& state, const ClassRequest& wanted) {
  Instances candidates;
  const auto& well = state.healthy();
  for (const auto* instance : *wanted.suitable)
    if (well[position_of(state.configuration, *instance)]) candidates.push_back(instance);
  return candidates;
}

// Searches times in ascending order.
class EarliestSearch {
public:
  EarliestSearch(const State& state, const ClassRequest& wanted, Instant from, Instant before)
      : state_(state),
        wanted_(wanted),
        from_(from),
        before_(before),
        supply_(Supply::of_holds(state, wanted.endless)),
        consumptions_(consumptions_of(wanted.demand, supply_)),
        candidates_(in_future(state, wanted)) {
    if (wanted.demand.pe.empty()) return;
    for (const auto& [name, pe] : state.configuration.parallel_environments())
      if (matches_expression(wanted.demand.pe, name)) pes_.push_back(&pe);
  }

  std::optional<Placement> run() {
    if (wanted_.demand.pe.empty()) return sequential();
    if (candidates_.size() == 1 && pes_.size() == 1) return alone(candidates_.front());
    return parallel();
  }

private:
  std::optional<Placement> at(Instant start, const Instances& candidates) {
    const Window window{start, start + wanted_.length};
    auto assignment = assign(state_, supply_, wanted_.demand, window, candidates, unread_);
    if (!assignment) return std::nullopt;
    return Placement{std::move(*assignment), window};
  }

  // The instance that is free first; among equals that with the fewest soft requests unmet, then
  // the first in order.
  std::optional<Placement> sequential() {
    const bool any_will_do = wanted_.demand.soft.is_empty();
    Instances best;
    auto start = Instant::never();
    for (const auto* instance : candidates_) {
      const auto found = first_start(*instance, 1);
      if (found < start) best.clear(), start = found;
      if (found == start && (best.empty() || !any_will_do)) best.push_back(instance);
      if (start == from_ && any_will_do) break;
    }
    return !best.empty() && start < before_ ? at(start, best) : std::nullopt;
  }

  // With one instance all limits are known before: no time has to be tried in vain.
  std::optional<Placement> alone(const QueueInstance* instance) {
    const auto start = first_start(*instance, wanted_.slots);
    return start < before_ ? at(start, {instance}) : std::nullopt;
  }

  // What is free in the window changes only where a point of some diagram enters or leaves it:
  // those times are tried, in order, where the slots of all instances together suffice.
  std::optional<Placement> parallel() {
    const auto first = not_before();
    if (!first || *first >= before_) return std::nullopt;
    from_ = *first;
    free_.assign(candidates_.size(), 0);
    for (std::size_t i = 0; i < candidates_.size(); ++i) recount(i, from_);
    if (total_ >= wanted_.slots)
      if (auto found = at(from_, with_free_slots())) return found;
    const auto changes = this->changes();
    for (std::size_t i = 0; i < changes.size();) {
      const auto time = changes[i].time;
      for (; i < changes.size() && changes[i].time == time; ++i)
        if (changes[i].candidate < candidates_.size()) recount(changes[i].candidate, time);
      if (total_ < wanted_.slots) continue;
      if (auto found = at(time, with_free_slots())) return found;
    }
    return std::nullopt;
  }

  // Before it, the slots of all instances of the cluster do not suffice. What is taken somewhere
  // beyond the capacity takes nothing from the others.
  std::optional<Instant> not_before() const {
    const auto& slots = supply_.capacity_index("slots");
    std::int64_t limit = -wanted_.slots;
    for (const auto& instance : state_.configuration.instances()) {
      const auto& capacity = slots.of_queue(instance);
      limit += std::max(*capacity.total, capacity.booked->max({from_, Instant::never()}));
    }
    if (limit < 0) return std::nullopt;
    return state_.all_slots().earliest_fit(from_, wanted_.length, limit);
  }

  Instances with_free_slots() const {
    Instances found;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (free_[i] > 0) found.push_back(candidates_[i]);
    return found;
  }

  void recount(std::size_t candidate, Instant start) {
    const auto free = std::max<std::int64_t>(
        0, supply_.free_slots(*candidates_[candidate], {start, start + wanted_.length}));
    total_ += free - free_[candidate];
    free_[candidate] = free;
  }

  struct ChangeOfSupply {
    Instant time;
    std::size_t candidate; ///< whose slots change; beyond the last: something else does
    auto operator<=>(const ChangeOfSupply&) const = default;
  };

  std::vector<ChangeOfSupply> changes() const {
    std::vector<ChangeOfSupply> result;
    const auto add = [&](Instant time, std::size_t candidate) {
      if (time > from_ && time < before_ && !time.is_never()) result.push_back({time, candidate});
    };
    const auto& slots = supply_.capacity_index("slots");
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const auto& capacity = slots.of_queue(*candidates_[i]);
      for (const auto point : capacity.booked->points()) {
        add(point, i);
        if (!wanted_.length.is_endless()) add(point - wanted_.length, i);
      }
      if (const auto* diagram = supply_.endless_use(capacity))
        for (const auto point : diagram->points()) add(point, i);
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      for (const auto turn : state_.closures().changes(state_.configuration, *candidates_[i],
                                                       {from_, before_}, wanted_.length))
        add(turn, i);
    for (const auto& [container, resource] : other_limits()) {
      const auto capacity = supply_.capacity_of(container, resource);
      for (const auto* diagram : {capacity.booked, supply_.endless_use(capacity)})
        if (diagram)
          for (const auto point : diagram->points()) add(point, candidates_.size());
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  // Everything that may stand in the way beside the slots of the instances.
  std::set<std::pair<Container, Resource>> other_limits() const {
    std::set<std::pair<Container, Resource>> result;
    for (const auto* pe : pes_) result.emplace(Container::pe(pe->name), "slots");
    for (const auto& consumption : wanted_.demand.consumables) {
      add_limits(result, consumption.resource);
      if (consumption.taking == Taking::alone)
        add_limits(result, Resource(consumption.resource, true));
    }
    return result;
  }

  void add_limits(std::set<std::pair<Container, Resource>>& limits,
                  const Resource& resource) const {
    limits.emplace(Container::global(), resource);
    const bool slots = resource.name == "slots";
    for (const auto* instance : candidates_) {
      if (!slots) limits.emplace(Container::queue(instance->name), resource);
      if (!slots || instance->host_limits_slots)
        limits.emplace(Container::host(instance->name.host), resource);
    }
  }

  // The first time at which all that `slots` slots of the instance need is free together.
  Instant first_start(const QueueInstance& instance, std::int64_t slots) {
    auto start = from_;
    const auto consumptions = limits(instance, slots);
    if (!consumptions) return Instant::never();
    for (bool moved = true; moved;) {
      moved = false;
      const auto open =
          state_.closures().earliest(state_.configuration, instance, start, wanted_.length);
      if (!open) return Instant::never();
      moved = *open != start;
      start = *open;
      for (const auto& [diagram, limit, length] : *consumptions) {
        const auto next = diagram->earliest_fit(start, length, limit);
        if (!next) return Instant::never();
        moved = moved || *next != start;
        start = *next;
      }
    }
    return start;
  }

  // The diagrams that matter for the instance, each with the highest use that leaves enough.
  // Nothing if the capacity does not suffice at any time.
  struct Limit {
    const Diagram* diagram;
    std::int64_t most;
    Duration length; ///< for which it counts
  };
  using Limits = std::vector<Limit>;
  const Limits* limits(const QueueInstance& instance, std::int64_t slots) {
    limits_.clear();
    for (const auto& consumption : consumptions_) {
      const auto pools = pools_of(consumption, instance);
      for (auto pool = pools.end(); pool != pools.begin();) // what is its own first
        if (!limit(*--pool, consumption.asked, slots)) return nullptr;
    }
    for (const auto* pe : pes_) {
      if (pe->slots < slots) return nullptr;
      keep_below(supply_.capacity_of(Container::pe(pe->name), "slots"), pe->slots - slots);
    }
    return &limits_;
  }

  bool limit(const Pool& pool, const ConsumableDemand& asked, std::int64_t slots) {
    if (asked.amount <= 0) return true;
    const auto taken = asked.taking == Taking::beside     ? 1
                       : asked.taking == Taking::per_slot ? asked.amount * slots
                                                          : asked.amount;
    const auto total = *pool.capacity->total;
    if (total < taken) return false;
    keep_below(*pool.capacity, total - taken);
    if (pool.shared) keep_below(*pool.shared, 0);
    return true;
  }

  void keep_below(const Capacity& capacity, std::int64_t most) {
    if (capacity.booked) limits_.push_back({capacity.booked, most, wanted_.length});
    if (const auto* diagram = supply_.endless_use(capacity))
      limits_.push_back({diagram, most, Duration::endless()});
  }

  const State& state_;
  const ClassRequest& wanted_;
  Instant from_, before_;
  Supply supply_;
  std::vector<Consumption> consumptions_;
  Instances candidates_;
  std::vector<const ParallelEnvironment*> pes_; ///< those that match
  Limits limits_;                               ///< of the instance that was looked at last
  std::vector<std::int64_t> free_; ///< slots of each candidate in the window that is looked at
  std::int64_t total_ = 0;
  Obstacles unread_ = Obstacles::unwanted();
};

bool asks_for_limit(const FixedDemand& fixed) {
  const auto& name = fixed.complex->name;
  return name == "h_rt" || name == "s_rt" || is_process_limit(name);
}

// All of a demand that decides which instances suit it, but for its limits.
std::string lasting_part(const Demand& demand) {
  std::string name = join(demand.queues, ",");
  for (const auto& [user, group] : demand.users) name += "\x1f" + user + "/" + group;
  for (const auto& fixed : demand.fixed)
    if (!asks_for_limit(fixed)) name += "\x1f" + fixed.complex->name + "=" + fixed.value;
  for (const auto& consumption : demand.consumables)
    if (consumption.asked) name += "\x1f" + consumption.resource;
  name += "\x1f" + demand.project + (demand.interactive ? "\x1fI" : "");
  return name;
}

std::shared_ptr<const Instances> without_obstacle(const State& state, const Demand& demand) {
  auto found = std::make_shared<Instances>();
  for (const auto& instance : state.configuration.instances())
    if (!instance.orphaned && !static_obstacle(state, instance, demand))
      found->push_back(&instance);
  return found;
}

} // namespace

// Limits differ from job to job, and hardly any instance has some.
std::shared_ptr<const Instances> suitable_for(const State& state, const Demand& demand) {
  auto& shared = state.waiting().suitable(lasting_part(demand));
  if (!shared) {
    auto rest = demand;
    std::erase_if(rest.fixed, asks_for_limit);
    shared = without_obstacle(state, rest);
  }
  const auto limits = [](const QueueInstance* instance) {
    return !instance->settings.hard_run_time.is_endless() ||
           !instance->settings.soft_run_time.is_endless() ||
           !instance->settings.process_limits.empty();
  };
  const bool asks = std::any_of(demand.fixed.begin(), demand.fixed.end(), asks_for_limit);
  if (!asks || std::none_of(shared->begin(), shared->end(), limits)) return shared;
  auto own = std::make_shared<Instances>();
  for (const auto* instance : *shared)
    if (!limits(instance) || !static_obstacle(state, *instance, demand)) own->push_back(instance);
  return own;
}

Result<ClassRequest> make_class_request(const State& state, const Job& job) {
  auto demand = demand_of_job(state.configuration, job.request, job.owner);
  if (!demand) return demand.error();
  ClassRequest wanted;
  wanted.demand = std::move(*demand);
  const auto& scheduler = state.configuration.scheduler();
  wanted.endless = asked_limit(job.request).is_endless();
  auto length = job.reservation_key ? sure_length(job.request) : asked_length(job.request);
  if (length.is_endless() && !job.reservation_key) length = scheduler.default_duration;
  wanted.length = length + scheduler.duration_offset;
  wanted.slots = least_slots(job.request);
  if (!job.reservation_key) wanted.suitable = suitable_for(state, wanted.demand);
  return wanted;
}

void add_lasting_obstacles(const State& state, const Job& job, const ClassRequest& wanted,
                           Obstacles& obstacles) {
  if (job.reservation_key) return;
  for (const auto& instance : state.configuration.instances())
    if (!instance.orphaned)
      if (auto reason = static_obstacle(state, instance, wanted.demand)) obstacles.add(*reason);
}

std::string obstacle(const State& state, const Job& job, Instant now) {
  if (job.is_held()) return "Job is in hold state";
  if (!job.waits_for.empty()) return "job dropped because of job dependencies";
  if (job.request.execution_time > now) return "execution time not reached";
  if (job.next_waiting() < 0 && job.resting_tasks() > 0)
    return "a task asked for another try (exit status 99) and waits for the scheduler's interval";
  if (job.next_waiting() < 0)
    return std::any_of(job.tasks.begin(), job.tasks.end(),
                       [](auto& t) { return t.state == TaskState::error; })
               ? "Job is in error state"
               : "no task waits";
  const auto running = [&](std::int64_t most, const char* name) {
    return "already " + std::to_string(most) + " tasks of the array run (" + name + ")";
  };
  if (job.request.tasks.is_array()) {
    const auto active = job.active_tasks();
    const auto most = state.configuration.global().max_aj_instances;
    if (most > 0 && active >= most) return running(most, "max_aj_instances");
    if (job.request.most_running > 0 && active >= job.request.most_running)
      return running(job.request.most_running, "-tc");
  }
  const auto most = state.configuration.scheduler().most_user_jobs;
  if (most > 0 && state.waiting().running_tasks(job.owner.user) >= most)
    return "job dropped because of user limitations: " + std::to_string(most) + " jobs of \"" +
           job.owner.user + "\" run (maxujobs)";
  if (!job.reservation_key) return {};
  const auto* reservation = state.reservation(job.reservation_key);
  const auto id = reservation ? to_string(reservation->number) : "";
  if (!reservation || reservation->is_ending())
    return "the advance reservation is no longer available";
  if (reservation->phase != ReservationPhase::running)
    return "advance reservation " + id + " has not started";
  if (!reservation->bad.empty() && reservation->request.hard)
    return "cannot run because requested advance reservation " + id + " is in error state";
  return {};
}

std::optional<Placement> place_now(const State& state, const Job& job, const ClassRequest& wanted,
                                   bool everywhere, Instant now, Obstacles& obstacles) {
  const auto* reservation = state.reservation(job.reservation_key);
  if (reservation)
    if (auto reason = time_obstacle(state, job, *reservation, now)) {
      obstacles.add(*reason);
      return std::nullopt;
    }
  if (!reservation && !everywhere && wanted.demand.pe.empty() && wanted.demand.soft.is_empty())
    return first_place(state, wanted, now, obstacles);
  const auto candidates = reservation
                              ? now_in_reservation(state, wanted, *reservation, now, obstacles)
                              : now_in_cluster(state, wanted, everywhere, now, obstacles);
  const Window window{now, now + wanted.length};
  const auto supply =
      reservation ? Supply::of_reservation(state, *reservation) : present_supply(state, wanted);
  auto assignment = assign(state, supply, wanted.demand, window, candidates, obstacles);
  if (!assignment) return std::nullopt;
  return Placement{std::move(*assignment), window};
}

std::optional<Placement> place_earliest(const State& state, const ClassRequest& wanted,
                                        Instant from, Instant before) {
  return EarliestSearch(state, wanted, from, before).run();
}

bool is_still_there(const State& state, const ClassRequest& wanted, const Hold& hold) {
  for (const auto& grant : hold.grants) {
    const auto* instance = state.configuration.instance(grant.instance);
    if (!instance || !state.healthy()[position_of(state.configuration, *instance)] ||
        !is_suitable(wanted, instance) ||
        !state.closures().is_open(state.configuration, *instance, hold.window))
      return false;
  }
  return is_free(Supply::of_holds(state, wanted.endless), wanted.demand, hold.bookings,
                 hold.window);
}

} // namespace almanac
