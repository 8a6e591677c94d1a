#include "core/matching/placement.hpp"

#include "core/execution/fence.hpp"
#include "core/matching/bookings.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/matching/quota_limits.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>

namespace almanac {

// The shortest fence fires before anybody counts on it.
static_assert(fence_for(least_reschedule_unknown) > fence_margin + fence_margin);

namespace {

// Whether the reservation leaves the job enough time; the obstacle if not.
bool leaves_time(const Snapshot& state, const Job& job, const Reservation& reservation, Instant now,
                 Obstacles& obstacles) {
  const auto offset = state.configuration().scheduler().duration_offset;
  const auto window = usable(reservation).window;
  if (window.start > now) {
    obstacles.add_made([&] {
      return Statement{AnswerCode::change_begins_later, {{"reservation", reservation.number}}};
    });
    return false;
  }
  const auto left = window.end - offset - now;
  const auto limit = sure_length(job.request);
  if (left.seconds > 0 && (limit.is_endless() || limit <= left)) return true;
  obstacles.add_made([&] {
    Statement few{
        AnswerCode::reservation_leaves,
        {{"reservation", reservation.number}, {"left", std::max<std::int64_t>(0, left.seconds)}}};
    if (!limit.is_endless()) few.details.emplace_back("requested", limit.seconds);
    return few;
  });
  return false;
}

Instances now_in_cluster(const Snapshot& state, const ClassRequest& wanted, bool everywhere,
                         Instant now, Obstacles& obstacles) {
  Instances candidates;
  const auto look_at = [&](const QueueInstance* instance) {
    if (serves_now(state, *instance, wanted.demand, now, true, obstacles))
      candidates.push_back(instance);
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

// A sequential job takes the first instance that will do: the others need no look.
std::optional<Placement> first_place(const Snapshot& state, const ClassRequest& wanted, Instant now,
                                     Obstacles& obstacles) {
  const Window window{now, now + wanted.length};
  const auto supply = present_supply(state, wanted);
  const QuotaLimits quotas(state, supply, wanted.demand, "");
  if (quotas.any() && quotas.everywhere(window, obstacles).slots < 1) return std::nullopt;
  const auto& instances = state.configuration().instances();
  auto unread = Obstacles::unwanted();
  for (const auto& place : state.instance_order().open()) {
    const auto* instance = &instances[place.position];
    if (!is_suitable(wanted, instance) ||
        !serves_now(state, *instance, wanted.demand, now, true, unread))
      continue;
    if (auto assignment =
            assign_on(state, supply, wanted.demand, window, *instance, quotas, obstacles))
      return Placement{std::move(*assignment), window};
  }
  return std::nullopt;
}

Instances now_in_reservation(const Snapshot& state, const ClassRequest& wanted,
                             const Reservation& reservation, Instant now, Obstacles& obstacles) {
  Instances candidates;
  const bool in_maintenance = reservation.request.maintenance;
  const auto shape = usable(reservation);
  for (const auto& instance : state.configuration().instances()) {
    const auto refuse = [&](AnswerCode code) {
      obstacles.add_made([&] {
        return Statement{code,
                         {{"queue", instance.name.text()}, {"reservation", reservation.number}}};
      });
    };
    if (!has_part_on(reservation, instance.name)) refuse(AnswerCode::not_reserved);
    else if (in_maintenance) {
      if (could_serve(state, instance, wanted.demand, obstacles) &&
          serves_in_maintenance(state, instance, now, obstacles))
        candidates.push_back(&instance);
    } else if (shape.slots_on(instance.name) == 0) refuse(AnswerCode::change_gives_up);
    else if (could_serve(state, instance, wanted.demand, obstacles) &&
             serves_now(state, instance, wanted.demand, now, false, obstacles))
      candidates.push_back(&instance);
  }
  return candidates;
}

// How many tasks of an array may run.
std::optional<Statement> array_obstacle(const Snapshot& state, const Job& job,
                                        const TaskTally& tally) {
  if (!job.request->tasks.is_array()) return std::nullopt;
  const auto running = [&](std::int64_t most, const char* setting) {
    return Statement{AnswerCode::array_limit_reached, {{"limit", most}, {"setting", setting}}};
  };
  const auto most = state.configuration().global().max_aj_instances;
  if (most > 0 && tally.active >= most) return running(most, "max_aj_instances");
  if (job.request->most_running > 0 && tally.active >= job.request->most_running)
    return running(job.request->most_running, "-tc");
  return std::nullopt;
}

// Why tasks that start at once all wait, whatever there is room for. Those that have their place in a
// trial are active.
std::optional<Statement> obstacle_to_all(const Snapshot& state, const Job& job,
                                         const TaskTally& tally) {
  const auto tasks = job.fresh_tasks() + tally.active;
  if (const auto held = job.fresh_tasks() - waiting_unheld(job, tally); held > 0)
    return Statement{AnswerCode::concurrent_tasks_are_held, {{"held", held}, {"tasks", tasks}}};
  const auto above = [&](std::int64_t most, const char* setting) {
    return Statement{AnswerCode::more_tasks_than_at_once,
                     {{"tasks", tasks}, {"setting", setting}, {"limit", most}}};
  };
  const auto most = state.configuration().global().max_aj_instances;
  if (most > 0 && tasks > most) return above(most, "max_aj_instances");
  const auto of_user = state.configuration().scheduler().most_user_jobs;
  const auto running = state.occupancy().running.of(job.owner.user);
  if (of_user == 0 || running + tasks <= of_user) return std::nullopt;
  return Statement{
      AnswerCode::more_tasks_than_user_may,
      {{"tasks", tasks}, {"running", running}, {"user", job.owner.user}, {"limit", of_user}}};
}

// Whether the reservation of a job lets any of its jobs start.
std::optional<Statement> closed_reservation(const Snapshot& state, const Job& job) {
  const auto* reservation = state.reservation(job.reservation_key);
  if (!reservation || reservation->is_over()) return Statement{AnswerCode::reservation_gone, {}};
  // Its list, or one that this names, may have changed since the job came (J6).
  if (!admits(state.configuration(), *reservation, job.owner))
    return Statement{AnswerCode::owner_not_admitted,
                     {{"user", job.owner.user}, {"reservation", reservation->number}}};
  if (reservation->phase != ReservationPhase::running)
    return Statement{AnswerCode::reservation_not_started, {{"reservation", reservation->number}}};
  if (reservation->start_hook != StartHook::not_awaited)
    return Statement{
        AnswerCode::waits_for_hook,
        {{"reservation", reservation->number},
         {"why", reservation->start_hook == StartHook::runs ? std::string("it runs")
                                                            : reservation->hook_failure}}};
  if (!reservation->bad.empty() && reservation->request.hard)
    return Statement{AnswerCode::reservation_in_error, {{"reservation", reservation->number}}};
  return std::nullopt;
}

} // namespace

Supply present_supply(const Snapshot& state, const ClassRequest& wanted) {
  const auto supply = wanted.endless ? Supply::of_promises(state, true) : Supply::of_cluster(state);
  return supply.asked_by(wanted.claim).before_preempting(wanted.gives_way);
}

std::optional<Statement> obstacle(const Snapshot& state, const Job& job, Instant now) {
  return obstacle(state, job, state.tally(job.key), now);
}

std::optional<Statement> obstacle(const Snapshot& state, const Job& job, const TaskTally& tally,
                                  Instant now) {
  if (job.is_held()) return Statement{AnswerCode::job_on_hold, {}};
  if (!job.waits_for.empty()) return Statement{AnswerCode::job_has_dependencies, {}};
  if (job.request->execution_time > now)
    return Statement{AnswerCode::execution_time_not_reached, {}};
  const bool has_next = next_waiting(job, tally) >= 0;
  const bool has_holds = !job.task_holds.empty() && waiting_tasks(job, tally) > 0;
  if (!has_next && has_holds && waiting_unheld(job, tally) == 0)
    return Statement{AnswerCode::job_on_hold, {}};
  if (!has_next && !tally.resting.empty()) return Statement{AnswerCode::task_rests, {}};
  if (!has_next && !job.blocked.empty()) return Statement{AnswerCode::job_has_dependencies, {}};
  if (!has_next)
    return Statement{tally.in_error > 0 ? AnswerCode::job_in_error : AnswerCode::no_pending_task,
                     {}};
  if (job.starts_at_once())
    if (auto why = obstacle_to_all(state, job, tally)) return why;
  if (auto why = array_obstacle(state, job, tally)) return why;
  const auto most = state.configuration().scheduler().most_user_jobs;
  if (most > 0 && state.occupancy().running.of(job.owner.user) >= most)
    return Statement{AnswerCode::user_limit_reached, {{"limit", most}, {"user", job.owner.user}}};
  return job.reservation_key ? closed_reservation(state, job) : std::nullopt;
}

std::optional<Placement> place_now(const Snapshot& state, const Job& job,
                                   const ClassRequest& wanted, bool everywhere, Instant now,
                                   Obstacles& obstacles) {
  const auto* reservation = state.reservation(job.reservation_key);
  if (reservation && !leaves_time(state, job, *reservation, now, obstacles)) return std::nullopt;
  if (!reservation && !everywhere && wanted.demand.pe.empty() && wanted.demand.soft.is_empty())
    return first_place(state, wanted, now, obstacles);
  const auto candidates = reservation
                              ? now_in_reservation(state, wanted, *reservation, now, obstacles)
                              : now_in_cluster(state, wanted, everywhere, now, obstacles);
  const Window window{now, now + wanted.length};
  const auto supply = reservation ? Supply::of_reservation(state, *reservation, now)
                                  : present_supply(state, wanted);
  auto assignment = assign(state, supply, wanted.demand, window, candidates, obstacles);
  if (!assignment) return std::nullopt;
  return Placement{std::move(*assignment), window};
}

bool is_still_there(const Snapshot& state, const ClassRequest& wanted, const Hold& hold) {
  const auto supply = Supply::of_holds(state, wanted.endless).asked_by(wanted.claim);
  for (const auto& grant : hold.grants) {
    const auto* instance = state.configuration().instance(grant.instance);
    if (!instance || !state.healthy()[position_of(state.configuration(), *instance)] ||
        !is_suitable(wanted, instance) ||
        !state.closures().calendar_is_open(state.configuration(), *instance, hold.window) ||
        supply.closing(*instance, hold.window))
      return false;
  }
  return is_free(supply, wanted.demand, hold.bookings, hold.window) &&
         is_within_quotas(state, supply, wanted.demand, hold.pe, hold.grants, hold.window);
}

} // namespace almanac
