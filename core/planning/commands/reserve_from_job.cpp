#include "core/planning/commands/reserve_from_job.hpp"

#include "core/matching/suitability.hpp"
#include "core/matching/summed_obstacles.hpp"
#include "core/planning/commands/alteration.hpp"
#include "core/planning/commands/job_commands.hpp"
#include "core/planning/commands/reserve.hpp"
#include "core/planning/grant_answer.hpp"
#include "core/planning/reservation_transitions.hpp"
#include "core/planning/site_consent.hpp"
#include "core/policy/standing.hpp"
#include "core/request/reserve_checks.hpp"
#include "core/text/words.hpp"

#include <utility>

namespace almanac::rules {

namespace {

bool names_a_length(const ReservationRequest& request) {
  return request.has_duration || (request.start != Instant{} && request.end != Instant{});
}

std::optional<Statement> obstacle(const State& state, const Job& job,
                                  const ReservationRequest& request) {
  const auto& tally = state.tally(job.key);
  if (job.request->reservation)
    return Statement{AnswerCode::job_has_a_reservation,
                     {{"reservation", job.request->reservation}}};
  if (job.request->tasks.is_array()) return Statement{AnswerCode::job_is_an_array, {}};
  if (tally.active > 0) return Statement{AnswerCode::job_runs_already, {}};
  if (tally.in_error > 0) return Statement{AnswerCode::job_is_in_error, {}};
  if (job.held_by_operator || job.held_by_system)
    return Statement{AnswerCode::job_is_held_by_others, {}};
  if (!names_a_length(request) && sure_length(job.request).is_endless())
    return Statement{AnswerCode::job_has_no_run_time, {}};
  return std::nullopt;
}

template <class T> void fill(T& into, const T& from) {
  if (into == T{}) into = from;
}

// What the job says counts where the request says nothing.
ReservationRequest completed(ReservationRequest request, const JobRequest& job, Duration offset) {
  if (request.name.empty() && valid_reservation_name(job.name)) request.name = job.name;
  if (request.account == ReservationRequest().account) request.account = job.account;
  fill(request.queues, job.queues);
  fill(request.master_queues, job.master_queues);
  fill(request.project, job.project);
  fill(request.checkpoint, job.checkpoint);
  if (request.resources.empty()) request.resources = job.resources;
  if (request.slots.empty()) {
    request.pe = job.pe, request.slots = job.slots;
    request.allocation_rule = job.allocation_rule;
    fill(request.pe_rule, job.pe_rule);
  }
  if (!names_a_length(request))
    request.duration = sure_length(job) + offset, request.has_duration = true;
  if (request.start == Instant{} && request.has_duration)
    request.asap = true, request.start = job.execution_time;
  request.ends_when_idle = true; // with its last job
  return request;
}

AlterJobs binding(const Job& job, ReservationNumber reservation) {
  AlterJobs command;
  command.targets = {to_string(job.number)};
  command.options = {"-ar"};
  command.request.reservation = reservation;
  return command;
}

} // namespace

Result<ForJob, Answer> asked_for_job(const State& state, const Caller& caller,
                                     const Reserve& command) {
  const auto* job = state.job_by_number(command.from_job);
  if (!job) return Answer::refusal(no_such_job(to_string(command.from_job)));
  if (!may_change(state.configuration(), caller, job->owner))
    return Answer::refusal(no_right_to(AnswerCode::no_right_to_modify_job, caller, job->number));
  if (auto why = obstacle(state, *job, command.request))
    return Answer::refusal(
        {AnswerCode::no_reservation_for_job, {{"job", job->number}, {"why", std::move(*why)}}});
  if (site_must_agree(state, HookEvent::confirm))
    return Answer::refusal(site_is_asked_first(HookEvent::confirm, "-from-job"));
  ForJob asked{job->key, job->owner, command};
  asked.command.from_job = {};
  asked.command.request =
      completed(command.request, job->request, state.configuration().scheduler().duration_offset);
  return asked;
}

std::optional<Statement> binding_obstacle(const State& state, const ForJob& asked, Shape shape,
                                          Instant now) {
  const auto& job = *state.job(asked.job);
  Reservation reservation;
  reservation.number =
      state.occupancy().numbers.next(ReservationNumber{state.counters().last_reservation_number});
  reservation.owner = asked.owner, reservation.request = asked.command.request;
  reservation.shape = std::move(shape);
  change_state(reservation, ReservationEvent::committed);
  JobRequest request = job.request;
  request.reservation = reservation.number;
  const auto of_job = [&](Statement why) {
    std::vector<Statement> denied{
        {AnswerCode::denied_for_job, {{"job", job.number}, {"why", std::move(why)}}}};
    leave_out_number(denied, reservation.number);
    return denied.front();
  };
  if (auto why = reservation_obstacle(state, reservation, job.owner, request, now))
    return of_job(std::move(*why));
  const auto demand = demand_of_job(state.configuration(), request, job.owner);
  if (!demand) return of_job(demand.error());
  SuitabilitySearch search(state, *demand, request, &reservation, now);
  search.look();
  if (search.found().assignment) return std::nullopt;
  return of_job(
      {AnswerCode::not_suitable_any_more, {{"why", summed_up(search.found().obstacles)}}});
}

namespace {

// The reservation does not wait as the job does.
std::vector<Statement> warnings_of(const State& state, const Job& job) {
  std::vector<Statement> warnings;
  if (job.held_by_user) warnings.push_back({AnswerCode::job_has_user_hold, {{"job", job.number}}});
  std::vector<std::string> others;
  for (const auto key : job.waits_for)
    if (const auto* other = state.job(key)) others.push_back(to_string(other->number));
  if (!others.empty())
    warnings.push_back(
        {AnswerCode::job_waits_for_others, {{"job", job.number}, {"others", join(others, ", ")}}});
  return warnings;
}

} // namespace

Answer reserve_from_job(State& state, const Caller& caller, const Reserve& command, Instant now) {
  const auto asked = asked_for_job(state, caller, command);
  if (!asked) return asked.error();
  auto warnings = warnings_of(state, *state.job(asked->job));
  const auto counters = state.counters();
  const auto granted = [&] {
    const Unbooked looking(state, asked->job);
    return grant(state, asked->owner, asked->command, now);
  }();
  if (!granted) return granted.error();
  const auto number = state.reservation(granted->key)->number;
  auto bound = alter_jobs(state, asked->owner, binding(*state.job(asked->job), number), now);
  if (bound.exit_code != 0) {
    leave_out_number(bound.statements, number);
    state.take_back(granted->key, counters);
    return bound;
  }
  auto answer = tell_of(state, asked->owner, *granted, now);
  for (auto& warning : warnings) answer.warn(std::move(warning));
  for (auto& statement : bound.statements) answer.statements.push_back(std::move(statement));
  return answer;
}

} // namespace almanac::rules
