#include "core/planning/rules.hpp"

#include "core/planning/selection.hpp"
#include "core/text/pattern.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

Answer refused(const std::string& reason, std::int64_t code = 1) {
  return {code, 0, {{"Unable to run job: " + reason + ".", true}, {"Exiting.", true}}};
}

bool may_have_deadline(const Configuration& configuration, const Caller& caller) {
  const auto set = configuration.usersets().find("deadlineusers");
  return configuration.is_operator(caller.user) ||
         (set != configuration.usersets().end() && set->second.contains(caller.user, caller.group));
}

// The limits and rules that need no search for a place.
std::optional<Answer> simple_obstacle(const State& state, const Caller& caller,
                                      const JobRequest& request) {
  const auto& global = state.configuration.global();
  if (auto valid = valid_object_name(request.name); !valid)
    return refused("denied: " + valid.what());
  if (auto valid = valid_object_name(request.account); !valid)
    return refused("denied: " + valid.what());
  if (request.priority < -1023 || request.priority > 1024)
    return refused("priority " + std::to_string(request.priority) +
                   " is not in the range of -1023 to 1024");
  if (request.priority > 0 && !state.configuration.is_operator(caller.user))
    return refused("job rejected: positive submission priority requires operator privileges");
  if (request.deadline.seconds > 0 && !may_have_deadline(state.configuration, caller))
    return refused("job rejected: user \"" + caller.user +
                   "\" is not in userset \"deadlineusers\"");
  if (request.pe.empty() != request.slots.empty())
    return refused("a parallel environment and its slot range belong together");
  if (caller.uid < global.min_uid)
    return refused("the uid " + std::to_string(caller.uid) + " is below min_uid " +
                   std::to_string(global.min_uid));
  if (request.tasks.is_array() && global.max_aj_tasks > 0 &&
      request.tasks.count() > global.max_aj_tasks)
    return refused("job rejected: the array has " + std::to_string(request.tasks.count()) +
                   " tasks, only " + std::to_string(global.max_aj_tasks) +
                   " are allowed (max_aj_tasks)");
  if (global.max_jobs > 0 && static_cast<std::int64_t>(state.jobs().size()) >= global.max_jobs)
    return refused("job rejected: only " + std::to_string(global.max_jobs) +
                       " jobs are allowed per cluster",
                   25);
  if (global.max_u_jobs > 0) {
    const auto own = std::count_if(state.jobs().begin(), state.jobs().end(), [&](auto& entry) {
      return entry.second->owner.user == caller.user;
    });
    if (own >= global.max_u_jobs)
      return refused("job rejected: only " + std::to_string(global.max_u_jobs) +
                         " jobs are allowed per user (current job count: " + std::to_string(own) +
                         ")",
                     25);
  }
  return std::nullopt;
}

// Checks J2 to J6 of spec/reservations.md section 11.1.
std::optional<Answer> reservation_obstacle(const State& state, const Caller& caller,
                                           const JobRequest& request, Instant now) {
  const auto id = std::to_string(request.reservation);
  const auto* reservation = state.reservation_by_number(request.reservation);
  if (!reservation || reservation->phase == ReservationPhase::held)
    return refused("the advance reservation id " + id + " is invalid");
  if (reservation->is_ending())
    return refused("the advance reservation " + id + " is no longer available");
  if (!admits(state.configuration, *reservation, caller.user, caller.group))
    return refused("user \"" + caller.user + "\" is not admitted by advance reservation " + id +
                   ": error: no suitable queues");
  const auto limit = asked_limit(request);
  if (limit.is_endless()) return std::nullopt;
  const auto offset = state.configuration.scheduler().duration_offset;
  const auto& window = reservation->shape.window;
  const auto numbers = " (" + print_duration(limit) + " asked, " + print_duration(window.length()) +
                       " reserved less " + std::to_string(offset.seconds) + " s)";
  if (limit > window.length() - offset)
    return refused("the job duration is longer than duration of the advance reservation id " + id +
                   numbers);
  const auto start = std::max({now, window.start, request.execution_time});
  if (start + limit > window.end - offset)
    return refused("the job duration exceeds the end time of the advance reservation id " + id +
                   numbers);
  return std::nullopt;
}

struct Suitability {
  std::optional<Assignment> assignment;
  Reasons reasons;
};

// -w e and v look at a cluster empty of jobs, -w p at the cluster as it is (ruling in
// spec/README.md).
Suitability suitable(const State& state, const Demand& demand, const JobRequest& request,
                     Instant now, bool as_it_is) {
  Suitability result;
  std::vector<const QueueInstance*> candidates;
  const auto* reservation =
      request.reservation ? state.reservation_by_number(request.reservation) : nullptr;
  for (const auto& instance : state.configuration.instances()) {
    if (instance.orphaned && !reservation) continue;
    auto obstacle = static_obstacle(state, instance, demand);
    if (!obstacle && reservation && reservation->slots_on(instance.name) == 0)
      obstacle = "cannot run in queue \"" + instance.name +
                 "\" because it was not reserved by advance reservation " +
                 std::to_string(reservation->number);
    if (!obstacle && as_it_is) obstacle = present_obstacle(state, instance, now, !reservation);
    if (obstacle) result.reasons.add(*obstacle);
    else candidates.push_back(&instance);
  }
  const auto limit = asked_limit(request);
  const auto gross =
      limit.is_endless() ? limit : limit + state.configuration.scheduler().duration_offset;
  std::vector<Instant> starts{now};
  if (!limit.is_endless() && !as_it_is)
    for (const auto& [key, other] : state.reservations())
      if (other.is_granted() && other.shape.window.end > now)
        starts.push_back(other.shape.window.end);
  // Within a reservation only its capacity matters: whether the time suffices was checked before.
  const auto supply =
      reservation ? Supply::of_reservation(state, *reservation)
                  : (as_it_is ? Supply::of_cluster(state) : Supply::of_empty_cluster(state));
  for (const auto start : starts) {
    const Window window = reservation && !as_it_is
                              ? Window{reservation->shape.window.end, Instant::never()}
                              : Window{start, start + gross};
    result.assignment = assign(state, supply, demand, window, candidates, result.reasons);
    if (result.assignment) break;
  }
  return result;
}

std::int64_t slots_of(const Assignment& assignment) {
  std::int64_t slots = 0;
  for (const auto& grant : assignment.grants) slots += grant.slots;
  return slots;
}

Result<std::vector<std::int64_t>> resolve_predecessors(const State& state, const Caller& caller,
                                                       const JobRequest& request) {
  if (request.predecessors.empty()) return std::vector<std::int64_t>();
  std::set<std::int64_t> keys;
  const auto selection = select_jobs(state, caller, request.predecessors, {});
  for (const auto& target : selection.targets) keys.insert(target.key);
  for (const auto& unknown : selection.unknown) {
    const auto number = parse_number(unknown);
    if (is_pattern(unknown)) continue;
    // A number that was given out belongs to a job that has finished.
    if (!number || *number == 0 || *number > state.counters().last_job_number)
      return Error{"denied: job \"" + unknown + "\" of -hold_jid does not exist"};
  }
  return std::vector<std::int64_t>(keys.begin(), keys.end());
}

Result<Demand> demand_of(const State& state, const Caller& caller, const JobRequest& request) {
  auto demand = resolve_demand(state.configuration, request.resources, request.queues, request.pe,
                               request.slots, "job");
  if (demand) demand->users.emplace_back(caller.user, caller.group);
  return demand;
}

} // namespace

Answer verify(const State& state, const Caller& caller, const Submit& command, Instant now) {
  const auto& request = command.request;
  if (auto obstacle = simple_obstacle(state, caller, request)) return *obstacle;
  if (request.reservation)
    if (auto obstacle = reservation_obstacle(state, caller, request, now)) return *obstacle;
  auto demand = demand_of(state, caller, request);
  if (!demand) return refused(demand.what());
  const auto found = suitable(state, *demand, request, now, request.validation == Validation::poke);
  Answer answer;
  if (found.assignment) {
    answer.lines.push_back({request.pe.empty()
                                ? "verification: found suitable queue(s)"
                                : "verification: found possible assignment with " +
                                      std::to_string(slots_of(*found.assignment)) + " slots",
                            false});
    return answer;
  }
  for (const auto& reason : found.reasons.list()) answer.lines.push_back({reason, false});
  answer.lines.push_back({"verification: no suitable queues", false});
  answer.exit_code = 1;
  return answer;
}

Answer submit(State& state, const Caller& caller, const Submit& command, Instant now) {
  const auto& request = command.request;
  if (auto obstacle = simple_obstacle(state, caller, request)) return *obstacle;
  if (request.reservation)
    if (auto obstacle = reservation_obstacle(state, caller, request, now)) return *obstacle;
  auto demand = demand_of(state, caller, request);
  if (!demand) return refused(demand.what());
  auto predecessors = resolve_predecessors(state, caller, request);
  if (!predecessors) return refused(predecessors.what());

  Answer answer;
  auto validation = request.validation;
  if (request.reservation && validation == Validation::unset) validation = Validation::error;
  if (validation == Validation::error || validation == Validation::warning) {
    const auto found = suitable(state, *demand, request, now, false);
    if (!found.assignment) {
      for (const auto& reason : found.reasons.list()) answer.lines.push_back({reason, true});
      if (validation == Validation::error) {
        answer.exit_code = 1;
        answer.lines.push_back({"Unable to run job: error: no suitable queues.", true});
        answer.lines.push_back({"Exiting.", true});
        return answer;
      }
      answer.lines = {{"warning: no suitable queues", true}};
    }
  }

  auto& job = state.add_job();
  job.owner = caller;
  job.submitted = now;
  job.request = request;
  job.request.script.content.clear();
  job.script_hash = command.script_hash;
  job.user_hold = request.hold;
  job.waits_for = *predecessors;
  job.fresh = {request.tasks};
  if (request.reservation)
    job.reservation_key = state.reservation_by_number(request.reservation)->key;
  state.index_predecessors(job);

  answer.number = job.number;
  const auto id = std::to_string(job.number);
  const auto quoted = " (\"" + request.name + "\") has been submitted";
  if (!request.tasks.is_array()) answer.lines.push_back({"Your job " + id + quoted, false});
  else
    answer.lines.push_back({"Your job-array " + id + "." + std::to_string(request.tasks.first) +
                                "-" + std::to_string(request.tasks.last) + ":" +
                                std::to_string(request.tasks.step) + quoted,
                            false});
  return answer;
}

} // namespace almanac::rules
