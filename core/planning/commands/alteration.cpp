#include "core/planning/commands/alteration.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/suitability.hpp"
#include "core/planning/commands/job_commands.hpp"
#include "core/planning/commands/rerun_change.hpp"
#include "core/planning/requests.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/wanted_job.hpp"
#include "core/policy/standing.hpp"
#include "core/request/submit_table.hpp"
#include "core/text/words.hpp"

#include <algorithm>

// qalter: what a job asks for is changed, as if it had been submitted so.

namespace almanac::rules {

namespace {

// The row of an option that may be altered.
const SubmitOption& row_of(const std::string& name) { return *find_submit_option(name); }

// -q R<id> is -ar id, as in qsub.
AlterJobs with_queue_read(const Configuration& configuration, AlterJobs command) {
  auto& options = command.options;
  const auto queues = std::find(options.begin(), options.end(), "-q");
  const bool is_named = std::find(options.begin(), options.end(), "-ar") != options.end();
  if (queues == options.end() || is_named) return command;
  command.request = with_named_reservation(configuration, std::move(command.request));
  if (command.request.reservation) *queues = "-ar";
  return command;
}

// A job of a reservation is checked again as it was when it was submitted, whatever -w says; one
// that comes into it, like one that is submitted (spec/reservations.md R11.5).
std::optional<Statement> misfit(const State& state, const Job& job, const JobRequest& request,
                                const Demand& demand, const AlterJobs& command, Instant now) {
  if (!request.reservation ||
      std::none_of(command.options.begin(), command.options.end(), [](const std::string& name) {
        return row_of(name).alter->fits_again == FitsAgain::is_checked;
      }))
    return std::nullopt;
  if (request.reservation != job.request->reservation)
    if (auto why = naming_obstacle(state, request.reservation)) return why;
  if (auto why = reservation_obstacle(state, job.owner, request, now)) return why;
  const auto found = suitable(state, demand, request, now);
  if (found.assignment) return std::nullopt;
  return Statement{AnswerCode::not_suitable_any_more, {{"why", found.obstacles.list()}}};
}

// Who names it wants to know that the job fits in, also where it is bound to that one already (R11.5).
bool names_reservation(const AlterJobs& command) {
  const auto& options = command.options;
  return command.request.reservation &&
         std::find(options.begin(), options.end(), "-ar") != options.end();
}

JobRequest altered(const JobRequest& request, const AlterJobs& command) {
  auto result = request;
  for (const auto& name : command.options) row_of(name).fields->copy(result, command.request);
  return result;
}

// What of a request the options are about, whatever else is in it.
JobRequest values_of(const AlterJobs& command, const JobRequest& request) {
  JobRequest values;
  for (const auto& name : command.options) row_of(name).fields->copy(values, request);
  return values;
}

std::optional<Statement> obstacle(const State& state, const Caller& caller, const Job& job,
                                  const AlterJobs& command) {
  if (!may_change(state.configuration(), caller, job.owner))
    return no_right_to(AnswerCode::no_right_to_modify_job, caller, job.number);
  const auto& tally = state.tally(job.key);
  const auto comes_too_late = [&](WhileRunning while_running) {
    if (while_running == WhileRunning::never && tally.active > 0) return true;
    return while_running != WhileRunning::may_change && waiting_tasks(job, tally) == 0;
  };
  for (const auto& name : command.options)
    if (comes_too_late(row_of(name).alter->while_running))
      return Statement{AnswerCode::option_of_running_job, {{"option", name}, {"job", job.number}}};
  return std::nullopt;
}

std::optional<Statement> obstacle(const State& state, const Caller& caller, const Job& job,
                                  const JobRequest& request, const AlterJobs& command,
                                  const std::vector<std::int64_t>& other_rerun, Instant now) {
  const auto of_job = [&](Statement why) {
    return Statement{AnswerCode::denied_for_job, {{"job", job.number}, {"why", std::move(why)}}};
  };
  if (auto why = request_obstacle(state, caller, job.owner, request, job.request)) return why;
  if (auto why = keep_obstacle(state, job.owner, state.waiting().kept_bytes_of(job.owner.user),
                               kept_bytes(request) - kept_bytes(job.request)))
    return of_job(std::move(*why));
  const auto demand = demand_of_job(state.configuration(), request, job.owner);
  if (!demand) return of_job(demand.error());
  if (auto why = misfit(state, job, request, *demand, command, now)) return of_job(std::move(*why));
  if (auto why = rerun_obstacle(state, job.key, other_rerun, now)) return of_job(std::move(*why));
  return std::nullopt;
}

// What was held for it goes: it asks for something else, or has its place in a reservation.
void put(State& state, JobKey key, JobRequest request, const std::vector<std::int64_t>& other_rerun,
         Instant now) {
  state.keep_holds(key, 0);
  change_rerun(state, key, other_rerun);
  const auto* reservation = meant_reservation(state, state.job(key)->owner, request, now);
  const auto reservation_key = reservation ? reservation->key : ReservationKey{};
  state.edit<Job>(key, [&](Job& job) {
    if (job.request->reservation != request.reservation) job.reservation_key = reservation_key;
    job.request = std::move(request);
  });
  state.waiting().leave_class(key);
  state.reindex(key, now);
}

} // namespace

Answer alter_jobs(State& state, const Caller& caller, const AlterJobs& given, Instant now) {
  const auto command = with_queue_read(state.configuration(), given);
  for (const auto& name : command.options)
    if (!can_be_altered(name))
      return Answer::refusal({AnswerCode::option_not_built, {{"option", name}}});
  if (command.targets.empty() && command.users.empty())
    return Answer::refusal({AnswerCode::users_or_jobs_needed, {}});
  Answer answer;
  const auto selection = select_jobs(state, caller, command.targets, command.users);
  if (!selection) return Answer::refusal({AnswerCode::denied, {{"why", selection.error()}}});
  const auto wanted = values_of(command, command.request);
  for (const auto& target : selection->targets) {
    const auto& job = *state.job(target.key);
    const auto number = job.number;
    if (!target.tasks.empty()) {
      answer.refuse({AnswerCode::no_altering_of_tasks, {{"job", number}}});
      continue;
    }
    if (auto why = obstacle(state, caller, job, command)) {
      answer.refuse(*why);
      continue;
    }
    const bool is_changed = values_of(command, job.request) != wanted;
    auto request = altered(job.request, command);
    const auto tasks = with_other_rerun(state, job, request);
    if (is_changed && !state.may_write(target.key, kept_bytes(job) + kept_bytes(wanted) +
                                                       written_bytes(state, target.key, tasks))) {
      answer.refuse(too_much_from(number));
      break;
    }
    if (is_changed || names_reservation(command)) {
      if (auto why = obstacle(state, caller, job, request, command, tasks, now)) {
        answer.refuse(*why);
        continue;
      }
      if (is_changed) put(state, target.key, std::move(request), tasks, now);
    }
    for (const auto& name : command.options)
      answer.say({AnswerCode::job_altered,
                  {{"what", std::string(row_of(name).alter->title)}, {"job", number}}});
  }
  for (const auto& unknown : selection->unknown) answer.refuse(no_such_job(unknown));
  if (answer.statements.empty()) return no_jobs_of(command.users);
  return answer;
}

} // namespace almanac::rules

namespace almanac {

bool can_be_altered(const std::string& option) {
  const auto* row = find_submit_option(option);
  return row && row->alter->kind == Alteration::Kind::changes;
}

} // namespace almanac
