#include "core/planning/placement.hpp"

#include "core/text/pattern.hpp"

#include <algorithm>
#include <set>

namespace almanac {

namespace {

// The time a job may hold its place, and whether a reservation leaves it enough.
std::optional<std::string> time_obstacle(const State& state, const Job& job,
                                         const Reservation& reservation, Instant now) {
  const auto offset = state.configuration.scheduler().duration_offset;
  const auto left = reservation.shape.window.end - offset - now;
  const auto limit = asked_limit(job.request);
  if (left.seconds <= 0 || (!limit.is_endless() && limit > left))
    return "advance reservation " + std::to_string(reservation.number) + " leaves " +
           std::to_string(std::max<std::int64_t>(0, left.seconds)) + " s" +
           (limit.is_endless() ? std::string()
                               : ", " + std::to_string(limit.seconds) + " s are asked for");
  return std::nullopt;
}

bool is_in(const std::vector<char>* open, const State& state, const QueueInstance* instance) {
  return !open ||
         (*open)[static_cast<std::size_t>(instance - state.configuration.instances().data())] != 0;
}

Instances now_in_cluster(const State& state, const Wish& wish, const std::vector<char>* open,
                         Instant now, Reasons& reasons) {
  Instances candidates;
  for (const auto* instance : wish.suitable) {
    if (!is_in(open, state, instance)) continue;
    if (auto reason = present_obstacle(state, *instance, now, true)) reasons.add(*reason);
    else candidates.push_back(instance);
  }
  return candidates;
}

Instances now_in_reservation(const State& state, const Wish& wish, const Reservation& reservation,
                             Instant now, Reasons& reasons) {
  Instances candidates;
  for (const auto& instance : state.configuration.instances()) {
    if (reservation.slots_on(instance.name) == 0) {
      reasons.add_made([&] {
        return "cannot run in queue \"" + instance.name +
               "\" because it was not reserved by advance reservation " +
               std::to_string(reservation.number);
      });
      continue;
    }
    auto reason = static_obstacle(state, instance, wish.demand);
    if (!reason) reason = present_obstacle(state, instance, now, false);
    if (reason) reasons.add(*reason);
    else candidates.push_back(&instance);
  }
  return candidates;
}

// Where something may be held: what is switched off now is not counted on, its load is not known.
Instances in_future(const State& state, const Wish& wish) {
  Instances candidates;
  for (const auto* instance : wish.suitable)
    if (!reserved_instance_trouble(state, instance->name)) candidates.push_back(instance);
  return candidates;
}

// Searches times in ascending order.
class EarliestSearch {
public:
  EarliestSearch(const State& state, const Wish& wish, Instant from)
      : state_(state),
        wish_(wish),
        from_(from),
        supply_(Supply::of_cluster(state)),
        candidates_(in_future(state, wish)) {}

  std::optional<Placement> run() {
    if (wish_.demand.pe.empty()) return sequential();
    if (candidates_.size() == 1 && matching_pes().size() == 1) return alone(candidates_.front());
    return parallel();
  }

private:
  std::optional<Placement> at(Instant start, const Instances& candidates) {
    const Window window{start, start + wish_.length};
    auto assignment = assign(state_, supply_, wish_.demand, window, candidates, unread_);
    if (!assignment) return std::nullopt;
    return Placement{std::move(*assignment), window};
  }

  // The instance that is free first; among equals the first in order.
  std::optional<Placement> sequential() {
    const QueueInstance* best = nullptr;
    auto start = Instant::never();
    for (const auto* instance : candidates_) {
      const auto found = first_start(*instance, 1);
      if (found < start) best = instance, start = found;
      if (start == from_) break;
    }
    return best ? at(start, {best}) : std::nullopt;
  }

  // With one instance all limits are known before: no time has to be tried in vain.
  std::optional<Placement> alone(const QueueInstance* instance) {
    const auto start = first_start(*instance, wish_.slots);
    return start.is_never() ? std::nullopt : at(start, {instance});
  }

  std::optional<Placement> parallel() {
    for (const auto start : times())
      if (auto found = at(start, candidates_)) return found;
    return std::nullopt;
  }

  // The first time at which all that `slots` slots of the instance need is free together.
  Instant first_start(const QueueInstance& instance, std::int64_t slots) {
    auto start = from_;
    const auto needs = limits(instance, slots);
    if (!needs) return Instant::never();
    for (bool moved = true; moved;) {
      moved = false;
      for (const auto& [diagram, limit] : *needs) {
        const auto next = diagram->earliest_fit(start, wish_.length, limit);
        if (!next) return Instant::never();
        moved = moved || *next != start;
        start = *next;
      }
    }
    return start;
  }

  // The diagrams that matter for the instance, each with the highest use that leaves enough.
  // Nothing if the capacity does not suffice at any time.
  std::optional<std::vector<std::pair<const Diagram*, std::int64_t>>>
  limits(const QueueInstance& instance, std::int64_t slots) const {
    std::vector<std::pair<const Diagram*, std::int64_t>> found;
    const auto consider = [&](const std::string& container, const ConsumableDemand& need) {
      const auto capacity = supply_.capacity(container, need.resource);
      if (!capacity || need.amount <= 0) return true;
      const auto left = *capacity - need.amount * (need.per_job ? 1 : slots);
      if (left < 0) return false;
      if (const auto* diagram = state_.ledger().find(container, need.resource))
        found.emplace_back(diagram, left);
      return true;
    };
    for (const auto& need : wish_.demand.consumables)
      for (const auto& container :
           {queue_container(instance.name), host_container(instance.host), global_container})
        if (!consider(container, need)) return std::nullopt;
    for (const auto& name : matching_pes())
      if (!consider(pe_container(name), {"slots", 1, false, true})) return std::nullopt;
    return found;
  }

  std::vector<std::string> matching_pes() const {
    std::vector<std::string> names;
    if (wish_.demand.pe.empty()) return names;
    for (const auto& [name, pe] : state_.configuration.parallel_environments())
      if (matches_expression(wish_.demand.pe, name)) names.push_back(name);
    return names;
  }

  // Now, and all times at which something that is asked for may become free.
  std::set<Instant> times() const {
    std::set<Instant> result{from_};
    const auto add = [&](const std::string& container, const std::string& resource) {
      if (const auto* diagram = state_.ledger().find(container, resource))
        for (const auto point : diagram->points())
          if (point > from_ && !point.is_never()) result.insert(point);
    };
    for (const auto& need : wish_.demand.consumables) {
      add(global_container, need.resource);
      std::set<std::string> hosts;
      for (const auto* instance : candidates_) {
        add(queue_container(instance->name), need.resource);
        if (hosts.insert(instance->host).second) add(host_container(instance->host), need.resource);
      }
    }
    for (const auto& name : matching_pes()) add(pe_container(name), "slots");
    return result;
  }

  const State& state_;
  const Wish& wish_;
  Instant from_;
  Supply supply_;
  Instances candidates_;
  Reasons unread_ = Reasons::unwanted();
};

} // namespace

Result<Wish> make_wish(const State& state, const Job& job) {
  auto demand = resolve_demand(state.configuration, job.request.resources, job.request.queues,
                               job.request.pe, job.request.slots, "job");
  if (!demand) return demand.error();
  Wish wish;
  wish.demand = std::move(*demand);
  wish.demand.users.emplace_back(job.owner.user, job.owner.group);
  const auto& scheduler = state.configuration.scheduler();
  const auto limit = asked_limit(job.request);
  wish.endless = limit.is_endless();
  const auto assumed =
      wish.endless && job.reservation_key == 0 ? scheduler.default_duration : limit;
  wish.length = assumed + scheduler.duration_offset;
  wish.slots = least_slots(job.request);
  if (job.reservation_key != 0) return wish;
  for (const auto& instance : state.configuration.instances())
    if (!instance.orphaned && !static_obstacle(state, instance, wish.demand))
      wish.suitable.push_back(&instance);
  return wish;
}

std::string obstacle(const State& state, const Job& job, Instant now) {
  if (job.is_held()) return "Job is in hold state";
  if (!job.waits_for.empty()) return "job dropped because of job dependencies";
  if (job.request.execution_time > now) return "execution time not reached";
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
  const auto id = reservation ? std::to_string(reservation->number) : "";
  if (!reservation || reservation->is_ending())
    return "the advance reservation is no longer available";
  if (reservation->phase != ReservationPhase::running)
    return "advance reservation " + id + " has not started";
  if (!reservation->bad.empty() && reservation->request.hard)
    return "cannot run because requested advance reservation " + id + " is in error state";
  return {};
}

std::optional<Placement> place_now(const State& state, const Job& job, const Wish& wish,
                                   const std::vector<char>* open, Instant now, Reasons& reasons) {
  const auto* reservation = state.reservation(job.reservation_key);
  if (reservation)
    if (auto reason = time_obstacle(state, job, *reservation, now)) {
      reasons.add(*reason);
      return std::nullopt;
    }
  const auto candidates = reservation ? now_in_reservation(state, wish, *reservation, now, reasons)
                                      : now_in_cluster(state, wish, open, now, reasons);
  const Window window{now, now + wish.length};
  const auto supply = reservation    ? Supply::of_reservation(state, *reservation)
                      : wish.endless ? Supply::of_promises(state, true)
                                     : Supply::of_cluster(state);
  auto assignment = assign(state, supply, wish.demand, window, candidates, reasons);
  if (!assignment) return std::nullopt;
  return Placement{std::move(*assignment), window};
}

std::optional<Placement> place_earliest(const State& state, const Wish& wish, Instant from) {
  return EarliestSearch(state, wish, from).run();
}

} // namespace almanac
