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
  std::vector<std::string> reasons;
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

Placement place(const State& state, const Job& job, Instant now) {
  Placement placement;
  const auto* reservation = state.reservation(job.reservation_key);
  auto demand = resolve_demand(state.configuration, job.request.resources, job.request.queues,
                               job.request.pe, job.request.slots, "job");
  if (!demand) {
    placement.reasons.push_back(demand.what());
    return placement;
  }
  demand->users.emplace_back(job.owner.user, job.owner.group);
  if (auto reason = time_obstacle(state, job, reservation, now)) {
    placement.reasons.push_back(*reason);
    return placement;
  }
  std::vector<const QueueInstance*> candidates;
  for (const auto& instance : state.configuration.instances()) {
    if (instance.orphaned && !reservation) continue;
    std::optional<std::string> reason;
    if (reservation && reservation->slots_on(instance.name) == 0)
      reason = "cannot run in queue \"" + instance.name +
               "\" because it was not reserved by advance reservation " +
               std::to_string(reservation->number);
    if (!reason) reason = static_obstacle(state, instance, *demand);
    if (!reason) reason = present_obstacle(state, instance, now, !reservation);
    if (reason) placement.reasons.push_back(*reason);
    else candidates.push_back(&instance);
  }
  const auto limit = asked_limit(job.request);
  const auto length =
      limit.is_endless() ? limit : limit + state.configuration.scheduler().duration_offset;
  placement.booked = {now, now + length};
  const auto supply =
      reservation ? Supply::of_reservation(state, *reservation) : Supply::of_cluster(state);
  placement.assignment =
      assign(state, supply, *demand, placement.booked, candidates, placement.reasons);
  return placement;
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
    if (obstacle(state, job, now).empty())
      order.emplace_back(-priority_of(state.configuration, job), job.number, key);
  std::sort(order.begin(), order.end());
  std::set<std::string> stuck;
  int started = 0;
  for (const auto& [priority, number, key] : order) {
    const auto category = class_of(*state.job(key));
    while (!stuck.contains(category) && obstacle(state, *state.job(key), now).empty()) {
      auto placement = place(state, *state.job(key), now);
      if (!placement.assignment) {
        stuck.insert(category);
        break;
      }
      if (started == limit) return true;
      start(state, key, std::move(placement), now);
      ++started;
    }
  }
  return false;
}

std::vector<std::string> explain(const State& state, const Job& job, Instant now) {
  if (auto reason = obstacle(state, job, now); !reason.empty()) return {reason};
  if (state.counters().passes_off)
    return {"nothing is started: the master has crashed three times within five minutes; once the "
            "cause is found, stop it and start it again"};
  auto placement = place(state, job, now);
  if (placement.assignment) return {"fits now and starts with the next pass"};
  return placement.reasons;
}

} // namespace almanac::rules
