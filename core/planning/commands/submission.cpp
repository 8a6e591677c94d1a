#include "core/planning/commands/submission.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/assumption.hpp"
#include "core/matching/placement.hpp"
#include "core/matching/suitability.hpp"
#include "core/planning/commands/proposals.hpp"
#include "core/planning/commands/requests.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/start.hpp"
#include "core/text/pattern.hpp"
#include "core/text/task_numbers.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

Answer refused(const std::string& reason, std::int64_t code = 1) {
  return {code, 0, {{"Unable to run job: " + reason + ".", true}, {"Exiting.", true}}};
}

// The limits and rules that need no search for a place.
std::optional<Answer> simple_obstacle(const State& state, const Caller& caller,
                                      const JobRequest& request, std::int64_t script_bytes) {
  const auto& global = state.configuration().global();
  if (auto why = request_obstacle(state, caller, caller, request, JobRequest()))
    return refused(*why);
  if (global.enforces_project && request.project.empty())
    return refused("job rejected: a project has to be named (-P), enforce_project is on");
  if (global.enforces_user && !state.configuration().users().contains(caller.user))
    return refused("job rejected: user \"" + caller.user +
                   "\" does not exist as an object, enforce_user is on");
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
  if (auto why = keep_obstacle(state, caller, state.waiting().kept_bytes_of(caller.user),
                               kept_bytes(request) + script_bytes))
    return refused("job rejected: " + *why, 25);
  return std::nullopt;
}

JobRequest with_default_project(const Configuration& configuration, const Caller& caller,
                                JobRequest request) {
  const auto user = configuration.users().find(caller.user);
  if (request.project.empty() && user != configuration.users().end())
    request.project = user->second.default_project;
  return request;
}

// Queue R<id> is the reservation with that id, where no queue is called so (ruling).
JobRequest with_named_reservation(const Configuration& configuration, JobRequest request) {
  if (request.queues.size() != 1 || request.reservation) return request;
  const auto& name = request.queues.front();
  const auto id = name.starts_with('R') ? parse_number(name.substr(1)) : Error{};
  if (!id || configuration.queues().contains(name)) return request;
  request.reservation = {*id};
  request.queues.clear();
  return request;
}

// What defaults and other names of things make of a request.
JobRequest completed(const State& state, const Caller& caller, const Submit& command) {
  return with_named_reservation(
      state.configuration(), with_default_project(state.configuration(), caller, command.request));
}

// A job that is not there yet, as a pass would see it.
Job imagined(const State& state, const Caller& caller, const JobRequest& request, Instant now) {
  Job job;
  job.owner = caller;
  job.submitted = now;
  job.request = request;
  job.held_by_user = request.held_by_user;
  job.fresh = {reached(request.tasks)};
  if (const auto* reservation = state.reservation_by_number(request.reservation))
    job.reservation_key = reservation->key;
  return job;
}

// -w p looks at the cluster as it is: would the next pass start it?
Suitability suitable_now(const State& state, const Job& job, Instant now) {
  Suitability result;
  if (auto why = obstacle(state, job, now); !why.empty()) {
    result.obstacles.add(why);
    return result;
  }
  auto wanted = make_class_request(state, job);
  if (!wanted) {
    result.obstacles.add(wanted.what());
    return result;
  }
  add_lasting_obstacles(state, job, *wanted, result.obstacles);
  if (auto place = place_now(state, job, *wanted, true, now, result.obstacles))
    result.assignment = std::move(place->assignment);
  return result;
}

std::int64_t slots_of(const Assignment& assignment) {
  std::int64_t slots = 0;
  for (const auto& grant : assignment.grants) slots += grant.slots;
  return slots;
}

// Names mean the caller's own jobs. What has finished, or never was, is nothing to wait for.
Result<std::vector<JobKey>> resolve_predecessors(const State& state, const Caller& caller,
                                                 const JobRequest& request) {
  std::set<JobKey> keys;
  if (!request.predecessors.empty()) {
    const auto selection = select_jobs(state, caller, request.predecessors, {});
    if (!selection) return selection.error();
    for (const auto& target : selection->targets) keys.insert(target.key);
  }
  return std::vector(keys.begin(), keys.end());
}

// What keeps one more task of it from starting. Those that have their place are not known to the
// state yet.
std::string obstacle_to_next(const Snapshot& state, const Job& job, const TaskTally& tally,
                             Instant now) {
  const auto most = state.configuration().scheduler().most_user_jobs;
  const auto running = state.occupancy().running.of(job.owner.user) + tally.active;
  if (most > 0 && running >= most)
    return std::to_string(most) + " jobs of \"" + job.owner.user + "\" may run (maxujobs)";
  return obstacle(state, job, tally, now);
}

// -now y: all tasks get their place at once, or the reason why none does.
Result<std::vector<Task>> start_all(const State& present, Job& job, Instant now) {
  Assumption all(present);
  const auto state = all.look();
  std::vector<Task> tasks;
  auto wanted = make_class_request(state, job);
  if (!wanted) return wanted.error();
  auto unread = Obstacles::unwanted();
  TaskTally tally;
  std::string why;
  while (!job.fresh.empty()) {
    if (why = obstacle_to_next(state, job, tally, now); !why.empty()) break;
    auto place = place_now(state, job, *wanted, false, now, unread);
    if (!place) {
      why = "no place is free for " +
            std::string(job.request->tasks.is_array() ? "all its tasks" : "it");
      break;
    }
    Task task;
    task.job = job.key, task.number = job.fresh.front().first;
    job.take_fresh(task.number);
    take_place(present, job, task, std::move(*place), now);
    ++tally.active;
    all.start(task, job.reservation_key);
    tasks.push_back(std::move(task));
  }
  if (!why.empty()) return Error{why};
  return tasks;
}

Answer immediate(State& state, Job job, Instant now) {
  job.key = {state.next_key()};
  const auto key = job.key;
  auto tasks = start_all(state, job, now);
  if (!tasks)
    return {1,
            0,
            {{"Your qsub request could not be scheduled; try again later.", true},
             {"(" + tasks.what() + ")", true}}};
  state.name(job);
  state.put(std::move(job));
  for (auto& task : *tasks) state.put(std::move(task));
  return {0, state.job(key)->number.value, {}};
}

} // namespace

Answer verify(const State& state, const Caller& caller, const Submit& command, Instant now) {
  const auto request = completed(state, caller, command);
  if (auto obstacle = simple_obstacle(state, caller, request, command.script_bytes))
    return *obstacle;
  if (request.reservation)
    if (auto why = reservation_obstacle(state, caller, request, now)) return refused(*why);
  auto demand = demand_of_job(state.configuration(), request, caller);
  if (!demand) return refused(demand.what());
  const auto found = request.validation == Validation::poke
                         ? suitable_now(state, imagined(state, caller, request, now), now)
                         : suitable(state, *demand, request, now);
  Answer answer;
  if (found.assignment) {
    answer.lines.push_back({request.pe.empty()
                                ? "verification: found suitable queue(s)"
                                : "verification: found possible assignment with " +
                                      std::to_string(slots_of(*found.assignment)) + " slots",
                            false});
    return answer;
  }
  for (const auto& reason : found.obstacles.list()) answer.lines.push_back({reason, false});
  answer.lines.push_back({"verification: no suitable queues", false});
  answer.exit_code = 1;
  return answer;
}

Answer submit(State& state, const Caller& caller, const Submit& command, Instant now) {
  const auto request = completed(state, caller, command);
  if (auto obstacle = simple_obstacle(state, caller, request, command.script_bytes))
    return *obstacle;
  if (request.reservation)
    if (auto why = reservation_obstacle(state, caller, request, now)) return refused(*why);
  auto demand = demand_of_job(state.configuration(), request, caller);
  if (!demand) return refused(demand.what());

  Answer answer;
  // A reservation is asked for in vain at once or never, whatever -w says (J6).
  const auto validation = request.reservation ? Validation::error : request.validation;
  if (validation == Validation::error || validation == Validation::warning) {
    const auto found = suitable(state, *demand, request, now);
    if (!found.assignment) {
      for (const auto& reason : found.obstacles.list()) answer.lines.push_back({reason, true});
      if (validation == Validation::error) {
        answer.exit_code = 1;
        answer.lines.push_back({"Unable to run job: error: no suitable queues.", true});
        answer.lines.push_back({"Exiting.", true});
        return answer;
      }
      answer.lines = {{"warning: no suitable queues", true}};
    }
  }

  state.expect(request);
  auto job = imagined(state, caller, request, now);
  auto& kept = job.request.edit();
  if (request.immediate) kept.reserve = false; // it never waits (seed 001, -R)
  kept.script.content.clear();
  job.script_hash = command.script_hash, job.script_bytes = command.script_bytes;
  auto predecessors = resolve_predecessors(state, caller, request);
  if (!predecessors) return Answer::refusal("denied: " + predecessors.what());
  if (auto why = keep_obstacle(state, caller, state.waiting().kept_bytes_of(caller.user),
                               kept_bytes(request) + command.script_bytes +
                                   bytes_beside(*predecessors, 1)))
    return refused("job rejected: " + *why, 25);
  job.waits_for = std::move(*predecessors);
  if (request.immediate) {
    auto started = immediate(state, std::move(job), now);
    if (started.exit_code != 0) return started;
    answer.number = started.number;
  } else {
    state.name(job);
    answer.number = job.number.value;
    state.put(std::move(job));
  }
  const auto id = std::to_string(answer.number);
  const auto quoted = " (\"" + request.name + "\") has been submitted";
  if (!request.tasks.is_array()) answer.lines.push_back({"Your job " + id + quoted, false});
  else
    answer.lines.push_back({"Your job-array " + id + "." + std::to_string(request.tasks.first) +
                                "-" + std::to_string(request.tasks.last) + ":" +
                                std::to_string(request.tasks.step) + quoted,
                            false});
  if (request.immediate) {
    answer.lines.push_back({"Waiting for immediate job to be scheduled.", false});
    answer.lines.push_back(
        {"Your immediate job " + id + " has been successfully scheduled.", false});
  }
  return answer;
}

} // namespace almanac::rules
