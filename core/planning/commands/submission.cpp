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

Answer refused(Statement why, std::int64_t code = 1) {
  return Answer::refusal({AnswerCode::unable_to_run_job, {{"why", std::move(why)}}}, code);
}

// The limits and rules that need no search for a place.
std::optional<Answer> simple_obstacle(const State& state, const Caller& caller,
                                      const JobRequest& request, std::int64_t script_bytes) {
  const auto& global = state.configuration().global();
  if (auto why = request_obstacle(state, caller, caller, request, JobRequest()))
    return refused(*why);
  if (global.enforces_project && request.project.empty())
    return refused({AnswerCode::project_needed, {}});
  if (global.enforces_user && !state.configuration().users().contains(caller.user))
    return refused({AnswerCode::user_object_needed, {{"user", caller.user}}});
  if (caller.uid < global.min_uid)
    return refused(
        {AnswerCode::uid_below_min_uid, {{"uid", caller.uid}, {"min_uid", global.min_uid}}});
  if (request.tasks.is_array() && global.max_aj_tasks > 0 &&
      request.tasks.count() > global.max_aj_tasks)
    return refused({AnswerCode::array_too_long,
                    {{"tasks", request.tasks.count()}, {"limit", global.max_aj_tasks}}});
  if (global.max_jobs > 0 && static_cast<std::int64_t>(state.jobs().size()) >= global.max_jobs)
    return refused({AnswerCode::too_many_jobs, {{"limit", global.max_jobs}}}, 25);
  if (global.max_u_jobs > 0) {
    const auto own = std::count_if(state.jobs().begin(), state.jobs().end(), [&](auto& entry) {
      return entry.second->owner.user == caller.user;
    });
    if (own >= global.max_u_jobs)
      return refused(
          {AnswerCode::too_many_jobs_of_user, {{"limit", global.max_u_jobs}, {"jobs", own}}}, 25);
  }
  if (auto why = keep_obstacle(state, caller, state.waiting().kept_bytes_of(caller.user),
                               kept_bytes(request) + script_bytes))
    return refused({AnswerCode::job_rejected, {{"why", *why}}}, 25);
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
  if (auto why = obstacle(state, job, now)) {
    result.obstacles.add(std::move(*why));
    return result;
  }
  auto wanted = make_class_request(state, job);
  if (!wanted) {
    result.obstacles.add(wanted.error());
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
Result<std::vector<JobKey>, Statement>
resolve_predecessors(const State& state, const Caller& caller, const JobRequest& request) {
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
std::optional<Statement> obstacle_to_next(const Snapshot& state, const Job& job,
                                          const TaskTally& tally, Instant now) {
  const auto most = state.configuration().scheduler().most_user_jobs;
  const auto running = state.occupancy().running.of(job.owner.user) + tally.active;
  if (most > 0 && running >= most)
    return Statement{AnswerCode::most_jobs_of_user_would_run,
                     {{"limit", most}, {"user", job.owner.user}}};
  return obstacle(state, job, tally, now);
}

// -now y: all tasks get their place at once, or the reason why none does.
Result<std::vector<Task>, Statement> start_all(const State& present, Job& job, Instant now) {
  Assumption all(present);
  const auto state = all.look();
  std::vector<Task> tasks;
  auto wanted = make_class_request(state, job);
  if (!wanted) return wanted.error();
  auto unread = Obstacles::unwanted();
  TaskTally tally;
  while (!job.fresh.empty()) {
    if (auto why = obstacle_to_next(state, job, tally, now)) return std::move(*why);
    auto place = place_now(state, job, *wanted, false, now, unread);
    if (!place)
      return Statement{job.request->tasks.is_array() ? AnswerCode::no_slots_for_all_tasks
                                                     : AnswerCode::no_slots_for_job,
                       {}};
    Task task;
    task.job = job.key, task.number = job.fresh.front().first;
    job.take_fresh(task.number);
    take_place(present, job, task, std::move(*place), now);
    ++tally.active;
    all.start(task, job.reservation_key);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

Answer immediate(State& state, Job job, Instant now) {
  job.key = {state.next_key()};
  const auto key = job.key;
  auto tasks = start_all(state, job, now);
  if (!tasks) return Answer::refusal({AnswerCode::not_scheduled_now, {{"why", tasks.error()}}});
  state.name(job);
  state.put(std::move(job));
  for (auto& task : *tasks) state.put(std::move(task));
  Answer answer;
  answer.number = state.job(key)->number.value;
  return answer;
}

} // namespace

Answer verify(const State& state, const Caller& caller, const Submit& command, Instant now) {
  const auto request = completed(state, caller, command);
  if (auto obstacle = simple_obstacle(state, caller, request, command.script_bytes))
    return *obstacle;
  if (request.reservation)
    if (auto why = reservation_obstacle(state, caller, request, now))
      return refused(std::move(*why));
  auto demand = demand_of_job(state.configuration(), request, caller);
  if (!demand) return refused(demand.error());
  const auto found = request.validation == Validation::poke
                         ? suitable_now(state, imagined(state, caller, request, now), now)
                         : suitable(state, *demand, request, now);
  Answer answer;
  if (found.assignment) {
    answer.say(request.pe.empty() ? Statement{AnswerCode::suitable_queues_found, {}}
                                  : Statement{AnswerCode::assignment_found,
                                              {{"slots", slots_of(*found.assignment)}}});
    return answer;
  }
  for (const auto& obstacle : found.obstacles.list()) answer.say(obstacle);
  answer.say({AnswerCode::no_suitable_queues_found, {}});
  answer.exit_code = 1;
  return answer;
}

Answer submit(State& state, const Caller& caller, const Submit& command, Instant now) {
  const auto request = completed(state, caller, command);
  if (auto obstacle = simple_obstacle(state, caller, request, command.script_bytes))
    return *obstacle;
  if (request.reservation)
    if (auto why = reservation_obstacle(state, caller, request, now))
      return refused(std::move(*why));
  auto demand = demand_of_job(state.configuration(), request, caller);
  if (!demand) return refused(demand.error());

  Answer answer;
  // A reservation is asked for in vain at once or never, whatever -w says (J6).
  const auto validation = request.reservation ? Validation::error : request.validation;
  if (validation == Validation::error || validation == Validation::warning) {
    const auto found = suitable(state, *demand, request, now);
    if (!found.assignment) {
      if (validation == Validation::error) {
        for (const auto& obstacle : found.obstacles.list()) answer.warn(obstacle);
        answer.refuse({AnswerCode::unable_to_run_job,
                       {{"why", Statement{AnswerCode::no_suitable_queues, {}}}}});
        return answer;
      }
      answer.warn({AnswerCode::warning_no_suitable_queues, {}});
    }
  }

  state.expect(request);
  auto job = imagined(state, caller, request, now);
  auto& kept = job.request.edit();
  if (request.immediate) kept.reserve = false; // it never waits (seed 001, -R)
  kept.script.content.clear();
  job.script_hash = command.script_hash, job.script_bytes = command.script_bytes;
  auto predecessors = resolve_predecessors(state, caller, request);
  if (!predecessors) return Answer::refusal({AnswerCode::denied, {{"why", predecessors.error()}}});
  if (auto why = keep_obstacle(state, caller, state.waiting().kept_bytes_of(caller.user),
                               kept_bytes(request) + command.script_bytes +
                                   bytes_beside(*predecessors, 1)))
    return refused({AnswerCode::job_rejected, {{"why", *why}}}, 25);
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
  if (!request.tasks.is_array())
    answer.say({AnswerCode::job_submitted, {{"job", answer.number}, {"name", request.name}}});
  else
    answer.say({AnswerCode::array_submitted,
                {{"job", answer.number},
                 {"first", request.tasks.first},
                 {"last", request.tasks.last},
                 {"step", request.tasks.step},
                 {"name", request.name}}});
  if (request.immediate) answer.say({AnswerCode::job_started_at_once, {{"job", answer.number}}});
  return answer;
}

} // namespace almanac::rules
