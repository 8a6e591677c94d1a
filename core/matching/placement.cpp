#include "core/matching/placement.hpp"

#include "core/execution/fence.hpp"
#include "core/matching/bookings.hpp"
#include "core/matching/instance_obstacles.hpp"

#include <algorithm>

namespace almanac {

// The shortest fence fires before anybody counts on it.
static_assert(fence_for(least_reschedule_unknown) > fence_margin + fence_margin);

namespace {

// The time a job may hold its place, and whether a reservation leaves it enough.
std::optional<std::string> time_obstacle(const Snapshot& state, const Job& job,
                                         const Reservation& reservation, Instant now) {
  const auto offset = state.configuration().scheduler().duration_offset;
  const auto window = usable(reservation).window;
  if (window.start > now)
    return "a change of advance reservation " + to_string(reservation.number) +
           " is pending that would begin later";
  const auto left = window.end - offset - now;
  const auto limit = sure_length(job.request);
  if (left.seconds <= 0 || (!limit.is_endless() && limit > left))
    return "advance reservation " + to_string(reservation.number) + " leaves " +
           std::to_string(std::max<std::int64_t>(0, left.seconds)) + " s" +
           (limit.is_endless() ? std::string()
                               : ", " + std::to_string(limit.seconds) + " s are asked for");
  return std::nullopt;
}

Instances now_in_cluster(const Snapshot& state, const ClassRequest& wanted, bool everywhere,
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
      const auto* instance = &state.configuration().instances()[place.position];
      if (is_suitable(wanted, instance)) look_at(instance);
    }
  return candidates;
}

// What a job that starts now may take: without a limit it must keep clear of all reservations.
Supply present_supply(const Snapshot& state, const ClassRequest& wanted) {
  return wanted.endless ? Supply::of_promises(state, true) : Supply::of_cluster(state);
}

// A sequential job takes the first instance that will do: the others need no look.
std::optional<Placement> first_place(const Snapshot& state, const ClassRequest& wanted, Instant now,
                                     Obstacles& obstacles) {
  const Window window{now, now + wanted.length};
  const auto supply = present_supply(state, wanted);
  const auto& instances = state.configuration().instances();
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

Instances now_in_reservation(const Snapshot& state, const ClassRequest& wanted,
                             const Reservation& reservation, Instant now, Obstacles& obstacles) {
  Instances candidates;
  const auto shape = usable(reservation);
  for (const auto& instance : state.configuration().instances()) {
    if (reservation.shape.slots_on(instance.name) == 0) {
      obstacles.add_made([&] {
        return "cannot run in queue \"" + instance.name.text() +
               "\" because it was not reserved by advance reservation " +
               to_string(reservation.number);
      });
      continue;
    }
    if (shape.slots_on(instance.name) == 0) {
      obstacles.add_made([&] {
        return "cannot run in queue \"" + instance.name.text() +
               "\" because a change of advance reservation " + to_string(reservation.number) +
               " is pending that gives it up";
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

} // namespace

std::string obstacle(const Snapshot& state, const Job& job, Instant now) {
  return obstacle(state, job, state.tally(job.key), now);
}

std::string obstacle(const Snapshot& state, const Job& job, const TaskTally& tally, Instant now) {
  if (job.is_held()) return "Job is in hold state";
  if (!job.waits_for.empty()) return "job dropped because of job dependencies";
  if (job.request->execution_time > now) return "execution time not reached";
  const bool has_next = next_waiting(job, tally) >= 0;
  if (!has_next && !tally.resting.empty())
    return "a task asked for another try (exit status 99) and waits for the scheduler's interval";
  if (!has_next) return tally.in_error > 0 ? "Job is in error state" : "no task waits";
  const auto running = [&](std::int64_t most, const char* name) {
    return "already " + std::to_string(most) + " tasks of the array run (" + name + ")";
  };
  if (job.request->tasks.is_array()) {
    const auto most = state.configuration().global().max_aj_instances;
    if (most > 0 && tally.active >= most) return running(most, "max_aj_instances");
    if (job.request->most_running > 0 && tally.active >= job.request->most_running)
      return running(job.request->most_running, "-tc");
  }
  const auto most = state.configuration().scheduler().most_user_jobs;
  if (most > 0 && state.occupancy().running.of(job.owner.user) >= most)
    return "job dropped because of user limitations: " + std::to_string(most) + " jobs of \"" +
           job.owner.user + "\" run (maxujobs)";
  if (!job.reservation_key) return {};
  const auto* reservation = state.reservation(job.reservation_key);
  const auto id = reservation ? to_string(reservation->number) : "";
  if (!reservation || reservation->is_over())
    return "the advance reservation is no longer available";
  if (reservation->phase != ReservationPhase::running)
    return "advance reservation " + id + " has not started";
  if (!reservation->bad.empty() && reservation->request.hard)
    return "cannot run because requested advance reservation " + id + " is in error state";
  return {};
}

std::optional<Placement> place_now(const Snapshot& state, const Job& job,
                                   const ClassRequest& wanted, bool everywhere, Instant now,
                                   Obstacles& obstacles) {
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

bool is_still_there(const Snapshot& state, const ClassRequest& wanted, const Hold& hold) {
  for (const auto& grant : hold.grants) {
    const auto* instance = state.configuration().instance(grant.instance);
    if (!instance || !state.healthy()[position_of(state.configuration(), *instance)] ||
        !is_suitable(wanted, instance) ||
        !state.closures().is_open(state.configuration(), *instance, hold.window))
      return false;
  }
  return is_free(Supply::of_holds(state, wanted.endless), wanted.demand, hold.bookings,
                 hold.window);
}

} // namespace almanac
