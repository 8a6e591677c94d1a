#include "core/planning/wanted_job.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/suitability.hpp"
#include "core/planning/concurrency.hpp"
#include "core/planning/requests.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/text/task_numbers.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac::rules {

Answer unable_to_run(Statement why, std::int64_t code) {
  return Answer::refusal({AnswerCode::unable_to_run_job, {{"why", std::move(why)}}}, code);
}

namespace {

// The limits and rules that need no search for a place.
std::optional<Answer> simple_obstacle(const State& state, const Caller& caller,
                                      const JobRequest& request, std::int64_t script_bytes) {
  const auto& global = state.configuration().global();
  if (auto why = request_obstacle(state, caller, caller, request, JobRequest()))
    return unable_to_run(*why);
  if (auto why = concurrency_obstacle(state.configuration(), request)) return unable_to_run(*why);
  if (global.enforces_project && request.project.empty())
    return unable_to_run({AnswerCode::project_needed, {}});
  if (global.enforces_user && !state.configuration().users().contains(caller.user))
    return unable_to_run({AnswerCode::user_object_needed, {{"user", caller.user}}});
  if (caller.uid < global.min_uid)
    return unable_to_run(
        {AnswerCode::uid_below_min_uid, {{"uid", caller.uid}, {"min_uid", global.min_uid}}});
  // In a QUERY for another user the group is unknown. Jobs cannot be submitted for others
  // (valid_whom).
  if (caller.gid != nobody && caller.gid < global.min_gid)
    return unable_to_run(
        {AnswerCode::gid_below_min_gid, {{"gid", caller.gid}, {"min_gid", global.min_gid}}});
  if (request.tasks.is_array() && global.max_aj_tasks > 0 &&
      request.tasks.count() > global.max_aj_tasks)
    return unable_to_run({AnswerCode::array_too_long,
                          {{"tasks", request.tasks.count()}, {"limit", global.max_aj_tasks}}});
  if (global.max_jobs > 0 && static_cast<std::int64_t>(state.jobs().size()) >= global.max_jobs)
    return unable_to_run({AnswerCode::too_many_jobs, {{"limit", global.max_jobs}}}, 25);
  if (global.max_u_jobs > 0) {
    const auto own = std::count_if(state.jobs().begin(), state.jobs().end(), [&](auto& entry) {
      return entry.second->owner.user == caller.user;
    });
    if (own >= global.max_u_jobs)
      return unable_to_run(
          {AnswerCode::too_many_jobs_of_user, {{"limit", global.max_u_jobs}, {"jobs", own}}}, 25);
  }
  if (auto why = keep_obstacle(state, caller, state.waiting().kept_bytes_of(caller.user),
                               kept_bytes(request) + script_bytes))
    return unable_to_run({AnswerCode::job_rejected, {{"why", *why}}}, 25);
  return std::nullopt;
}

JobRequest with_default_project(const Configuration& configuration, const Caller& caller,
                                JobRequest request) {
  if (request.project.empty())
    request.project = configuration.user_called(caller.user).default_project;
  return request;
}

} // namespace

namespace {

bool is_known(const Snapshot& state, ReservationNumber number) {
  return state.reservation_by_number(number) || state.series(number) ||
         !state.occupancy().standing_series.meant_by(number).empty();
}

} // namespace

JobRequest with_named_reservation(const Snapshot& state, JobRequest request) {
  if (request.queues.size() != 1 || request.reservation) return request;
  const auto& name = request.queues.front();
  const auto number = parse_reservation_queue(name);
  if (!number || state.configuration().queues().contains(name) || !is_known(state, *number))
    return request;
  request.reservation = *number;
  request.queues.clear();
  return request;
}

Result<WantedJob, Answer> wanted_job(const State& state, const Caller& caller,
                                     const Submit& command, Instant now) {
  const auto& configuration = state.configuration();
  // Between a change of the configuration and the moment when the gate hears of it.
  if (command.verified_by != configuration.global().jsv_url)
    return unable_to_run({AnswerCode::jsv_changed, {}});
  auto request =
      with_named_reservation(state, with_default_project(configuration, caller, command.request));
  if (auto obstacle = simple_obstacle(state, caller, request, command.script_bytes))
    return *obstacle;
  if (auto why = naming_obstacle(state, request.reservation)) return unable_to_run(std::move(*why));
  if (request.reservation)
    if (auto why = reservation_obstacle(state, caller, request, now))
      return unable_to_run(std::move(*why));
  auto demand = demand_of_job(configuration, request, caller);
  if (!demand) return unable_to_run(demand.error());
  return WantedJob{std::move(request), std::move(*demand)};
}

Job imagined(const Snapshot& state, const Caller& caller, const JobRequest& request, Instant now) {
  Job job;
  job.owner = caller;
  job.submitted = now;
  job.request = request;
  job.held_by_user = request.held_by_user;
  job.fresh = {reached(request.tasks)};
  if (const auto* reservation = meant_reservation(state, caller, request, now))
    job.reservation_key = reservation->key;
  return job;
}

} // namespace almanac::rules
