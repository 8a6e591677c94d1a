#include "core/planning/rules.hpp"

#include "core/request/resources.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace almanac::rules {

namespace {

// Why a job can't be looked at before any place is searched; "" if it can.
std::string obstacle(const State& state, const Job& job, Instant now) {
  if (job.is_held()) return "Job is in hold state";
  if (!job.waits_for.empty()) return "job dropped because of job dependencies";
  if (job.request.execution_time > now) return "execution time not reached";
  if (job.next_waiting() < 0)
    return std::any_of(job.tasks.begin(), job.tasks.end(),
                       [](auto& t) { return t.state == TaskState::error; })
               ? "Job is in error state"
               : "no task waits";
  const auto most = state.configuration.global().max_aj_instances;
  if (job.request.tasks.is_array() && most > 0 && job.active_tasks() >= most)
    return "already " + std::to_string(most) + " tasks of the array run (max_aj_instances)";
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

struct Placement {
  std::optional<Assignment> assignment;
  Window booked;
};

// The time a job may hold its place, and whether a reservation leaves it enough.
std::optional<std::string> time_obstacle(const State& state, const Job& job,
                                         const Reservation* reservation, Instant now) {
  if (!reservation) return std::nullopt;
  const auto offset = state.configuration.scheduler().duration_offset;
  const auto left = reservation->shape.window.end - offset - now;
  const auto limit = asked_limit(job.request);
  if (left.seconds <= 0 || (!limit.is_endless() && limit > left))
    return "advance reservation " + std::to_string(reservation->number) + " leaves " +
           std::to_string(std::max<std::int64_t>(0, left.seconds)) + " s" +
           (limit.is_endless() ? std::string()
                               : ", " + std::to_string(limit.seconds) + " s are asked for");
  return std::nullopt;
}

using Instances = std::vector<const QueueInstance*>;

// Those of `instances` that may take the job now.
Instances candidates_for(const State& state, const Demand& demand, const Reservation* reservation,
                         const Instances& instances, Instant now, Reasons& reasons) {
  Instances candidates;
  for (const auto* instance : instances) {
    if (instance->orphaned && !reservation) continue;
    if (reservation && reservation->slots_on(instance->name) == 0) {
      reasons.add_made([&] {
        return "cannot run in queue \"" + instance->name +
               "\" because it was not reserved by advance reservation " +
               std::to_string(reservation->number);
      });
      continue;
    }
    auto reason = static_obstacle(state, *instance, demand);
    if (!reason) reason = present_obstacle(state, *instance, now, !reservation);
    if (reason) reasons.add(*reason);
    else candidates.push_back(instance);
  }
  return candidates;
}

Placement place(const State& state, const Job& job, const Instances& instances, Instant now,
                Reasons& reasons) {
  Placement placement;
  const auto* reservation = state.reservation(job.reservation_key);
  auto demand = resolve_demand(state.configuration, job.request.resources, job.request.queues,
                               job.request.pe, job.request.slots, "job");
  if (!demand) {
    reasons.add(demand.what());
    return placement;
  }
  demand->users.emplace_back(job.owner.user, job.owner.group);
  if (auto reason = time_obstacle(state, job, reservation, now)) {
    reasons.add(*reason);
    return placement;
  }
  const auto candidates = candidates_for(state, *demand, reservation, instances, now, reasons);
  const auto limit = asked_limit(job.request);
  const auto length =
      limit.is_endless() ? limit : limit + state.configuration.scheduler().duration_offset;
  placement.booked = {now, now + length};
  const auto supply =
      reservation ? Supply::of_reservation(state, *reservation) : Supply::of_cluster(state);
  placement.assignment = assign(state, supply, *demand, placement.booked, candidates, reasons);
  return placement;
}

Instances all_instances(const State& state) {
  Instances all;
  for (const auto& instance : state.configuration.instances()) all.push_back(&instance);
  return all;
}

// Every job takes slots: where none is free at this moment, none outside a reservation starts.
bool has_free_slot(const State& state, const QueueInstance& instance, Instant now) {
  return state.ledger().used(queue_container(instance.name), "slots", {now, now + Duration{1}}) <
         instance.settings.slots;
}

void start(State& state, std::int64_t key, Placement placement, Instant now) {
  auto& job = state.edit_job(key);
  auto& task = job.materialise(job.next_waiting());
  auto& assignment = *placement.assignment;
  task.state = TaskState::sent;
  ++task.attempt;
  task.pe = assignment.pe, task.grants = assignment.grants, task.bookings = assignment.bookings;
  task.booked = placement.booked;
  task.limit = asked_limit(job.request), task.soft_limit = asked_soft_limit(job.request);
  for (const auto& grant : task.grants) {
    const auto* instance = state.configuration.instance(grant.instance);
    task.limit = std::min(task.limit, instance->settings.hard_run_time);
    task.soft_limit = std::min(task.soft_limit, instance->settings.soft_run_time);
  }
  if (const auto* reservation = state.reservation(job.reservation_key))
    task.limit = std::min(task.limit, reservation->shape.window.end -
                                          state.configuration.scheduler().duration_offset - now);
  state.book(job, task);
}

// Jobs that the search can't tell apart: when one does not fit now, none of them does.
std::string class_of(const Job& job) {
  return join({print_resource_requests(job.request.resources), join(job.request.queues, ","),
               job.request.pe, print_slot_ranges(job.request.slots),
               std::to_string(job.reservation_key), job.owner.user, job.owner.group},
              "\x1f");
}

// After a start: only what the task took can have become full.
void close_full_ones(const State& state, const std::vector<Grant>& taken, Instant now,
                     Instances& open) {
  for (const auto& grant : taken)
    std::erase_if(open, [&](const QueueInstance* instance) {
      return instance->name == grant.instance && !has_free_slot(state, *instance, now);
    });
}

} // namespace

std::int64_t priority_of(const Configuration& configuration, const Job& job) {
  // Urgency and tickets are equal for all jobs yet, so each counts with its normalised 0.5.
  const auto posix = (job.request.priority + 1024) * 1'000'000 / 2048;
  return configuration.scheduler().weight_priority * posix / 1'000'000 + 50'000 + 5'000;
}

bool pass(State& state, Instant now, int limit) {
  if (state.counters().passes_off) return false;
  std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>>
      order; // priority negated, number, key
  for (const auto& [key, job] : state.jobs())
    if (obstacle(state, *job, now).empty())
      order.emplace_back(-priority_of(state.configuration, *job), job->number, key);
  std::sort(order.begin(), order.end());
  const auto all = all_instances(state);
  auto open = all;
  std::erase_if(open, [&](auto* instance) { return !has_free_slot(state, *instance, now); });
  auto unread = Reasons::unwanted();
  std::set<std::string> stuck;
  int started = 0;
  for (const auto& [priority, number, key] : order) {
    const bool reserved = state.job(key)->reservation_key != 0;
    if (!reserved && open.empty()) continue;
    const auto category = class_of(*state.job(key));
    while (!stuck.contains(category) && obstacle(state, *state.job(key), now).empty()) {
      auto placement = place(state, *state.job(key), reserved ? all : open, now, unread);
      if (!placement.assignment) {
        stuck.insert(category);
        break;
      }
      if (started == limit) return true;
      const auto taken = placement.assignment->grants;
      start(state, key, std::move(placement), now);
      ++started;
      if (!reserved) close_full_ones(state, taken, now, open);
    }
  }
  return false;
}

std::vector<std::string> explain(const State& state, const Job& job, Instant now) {
  if (auto reason = obstacle(state, job, now); !reason.empty()) return {reason};
  if (state.counters().passes_off)
    return {"nothing is started: the master has crashed three times within five minutes; once the "
            "cause is found, stop it and start it again"};
  Reasons reasons;
  if (place(state, job, all_instances(state), now, reasons).assignment)
    return {"fits now and starts with the next pass"};
  return reasons.list();
}

} // namespace almanac::rules
