#include "core/planning/commands/submission.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/placement.hpp"
#include "core/matching/suitability.hpp"
#include "core/matching/summed_obstacles.hpp"
#include "core/planning/array_dependencies.hpp"
#include "core/planning/commands/predecessors.hpp"
#include "core/planning/requests.hpp"
#include "core/planning/together.hpp"
#include "core/planning/wanted_job.hpp"

namespace almanac::rules {

namespace {

// A quota in the way is named; otherwise there is no room, wherever that is.
Statement why_not_all(const Snapshot& state, const Job& job, const ClassRequest& wanted,
                      Instant now) {
  Obstacles obstacles;
  place_now(state, job, wanted, false, now, obstacles);
  for (const auto& obstacle : obstacles.list())
    if (obstacle.code == AnswerCode::exceeds_quota) return obstacle;
  return {job.request->tasks.is_array() ? AnswerCode::no_slots_for_all_tasks
                                        : AnswerCode::no_slots_for_job,
          {}};
}

// -now y: all tasks get their place at once, or the reason why none does.
Result<std::vector<Task>, Statement> start_all(const State& present, Job& job, Instant now) {
  const auto wanted = make_class_request(present, job);
  if (!wanted) return wanted.error();
  Together all(present, job, *wanted, now);
  if (!all.fit())
    return all.obstacle() ? *all.obstacle() : why_not_all(all.look(), all.rest(), *wanted, now);
  job.fresh.clear();
  return all.take_tasks();
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

Answer submit(State& state, const Caller& caller, const Submit& command, Instant now) {
  const auto wanted = wanted_job(state, caller, command, now);
  if (!wanted) return wanted.error();
  const auto& request = wanted->request;
  Answer answer;
  // A reservation is asked for in vain at once or never, whatever -w says (J6).
  const auto validation = request.reservation ? Validation::error : request.validation;
  if (validation == Validation::error || validation == Validation::warning) {
    const auto found = suitable(state, wanted->demand, request, now);
    if (!found.assignment) {
      if (validation == Validation::error) {
        for (auto& obstacle : summed_up(found.obstacles)) answer.warn(std::move(obstacle));
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
  if (request.interaction != Interaction::none)
    kept.rerun = Rerun::no; // its client is gone by then
  kept.script.content.clear();
  job.script_hash = command.script_hash, job.script_bytes = command.script_bytes;
  auto predecessors = resolve_predecessors(state, caller, request.predecessors);
  if (!predecessors) return unable_to_run(predecessors.error());
  auto of_tasks = array_predecessors(state, caller, request);
  if (!of_tasks) return unable_to_run(of_tasks.error());
  job.blocked = blocked_tasks(state, job, *of_tasks);
  job.waits_for_tasks = std::move(*of_tasks);
  if (auto why = keep_obstacle(state, caller, state.waiting().kept_bytes_of(caller.user),
                               kept_bytes(request) + command.script_bytes +
                                   bytes_beside(*predecessors, 1)))
    return unable_to_run({AnswerCode::job_rejected, {{"why", *why}}}, 25);
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
