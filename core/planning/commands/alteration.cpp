#include "core/planning/commands/alteration.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/matching/suitability.hpp"
#include "core/matching/summed_obstacles.hpp"
#include "core/planning/array_dependencies.hpp"
#include "core/planning/commands/holding.hpp"
#include "core/planning/commands/job_commands.hpp"
#include "core/planning/commands/predecessors.hpp"
#include "core/planning/commands/rerun_change.hpp"
#include "core/planning/commands/running_requests.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/concurrency.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/requests.hpp"
#include "core/planning/series_jobs.hpp"
#include "core/planning/wanted_job.hpp"
#include "core/policy/standing.hpp"
#include "core/request/altered_request.hpp"
#include "core/request/jsv_parameters.hpp"
#include "core/request/submit_table.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <set>
#include <tuple>

// qalter: what a job asks for is changed, as if it had been submitted so.

namespace almanac::rules {

namespace {

// The row of an option that may be altered.
const SubmitOption& row_of(const std::string& name) { return *find_submit_option(name); }

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
  return Statement{AnswerCode::not_suitable_any_more, {{"why", summed_up(found.obstacles)}}};
}

bool names(const AlterJobs& command, std::string_view option) {
  const auto& options = command.options;
  return std::find(options.begin(), options.end(), option) != options.end();
}

// What of a request the options are about, whatever else is in it. What becomes of a context depends
// on what it was.
JobRequest values_of(const AlterJobs& command, const JobRequest& request) {
  JobRequest values;
  for (const auto& name : command.options) row_of(name).fields->copy(values, request);
  if (!command.context.empty()) values.context.clear();
  return values;
}

// Who names it wants to know that the job fits in, also where it is bound to that one already (R11.5).
bool names_reservation(const AlterJobs& command) {
  return command.request.reservation && names(command, "-ar");
}

std::optional<Statement> obstacle(const State& state, const Caller& caller, const Job& job,
                                  const AlterJobs& command) {
  if (!may_change(state.configuration(), caller, job.owner))
    return no_right_to(AnswerCode::no_right_to_modify_job, caller, job.number);
  const auto& tally = state.tally(job.key);
  const bool none_waits = waiting_tasks(job, tally) == 0;
  for (const auto& name : command.options) {
    const auto while_running = row_of(name).alter->while_running;
    if ((while_running == WhileRunning::never && (tally.active > 0 || none_waits)) ||
        (while_running == WhileRunning::must_not && none_waits))
      return Statement{AnswerCode::option_of_running_job, {{"option", name}, {"job", job.number}}};
    if (while_running == WhileRunning::where_unbound && none_waits)
      if (auto why =
              running_requests_obstacle(state.configuration(), job, command.request.resources))
        return why;
  }
  if (names(command, "-now") && command.request.immediate)
    return Statement{AnswerCode::job_waits_already, {{"job", job.number}}};
  if (names(command, "-tcon") && command.request.concurrent != job.request->concurrent)
    return settled_concurrency(job);
  return std::nullopt;
}

// What the site has changed since the job came keeps nobody from altering other things.
std::optional<Statement> new_concurrency_obstacle(const State& state, const Job& job,
                                                  const JobRequest& request) {
  const auto asks = [](const JobRequest& r) {
    return std::tuple(r.concurrent, r.most_running, r.reserve);
  };
  if (asks(request) == asks(job.request)) return std::nullopt;
  return concurrency_obstacle(state.configuration(), request);
}

std::optional<Statement> obstacle(const State& state, const Caller& caller, const Job& job,
                                  const JobRequest& request, const AlterJobs& command,
                                  const std::vector<std::int64_t>& other_rerun, Instant now) {
  const auto of_job = [&](Statement why) {
    return Statement{AnswerCode::denied_for_job, {{"job", job.number}, {"why", std::move(why)}}};
  };
  if (auto why = request_obstacle(state, caller, job.owner, request, job.request)) return why;
  if (auto why = new_concurrency_obstacle(state, job, request)) return of_job(std::move(*why));
  if (auto why = keep_obstacle(state, job.owner, state.waiting().kept_bytes_of(job.owner.user),
                               kept_bytes(request) - kept_bytes(job.request)))
    return of_job(std::move(*why));
  const auto demand = demand_of_job(state.configuration(), request, job.owner);
  if (!demand) return of_job(demand.error());
  if (auto why = misfit(state, job, request, *demand, command, now)) return of_job(std::move(*why));
  if (auto why = rerun_obstacle(state, job.key, other_rerun, now)) return of_job(std::move(*why));
  return std::nullopt;
}

// Of -hold_jid and -hold_jid_ad, where they are given.
struct NewPredecessors {
  std::optional<std::vector<JobKey>> jobs, arrays;
};

// What was held for it goes: it asks for something else, or has its place in a reservation.
void put(State& state, JobKey key, JobRequest request, const std::vector<std::int64_t>& other_rerun,
         NewPredecessors predecessors, Instant now) {
  state.keep_holds(key, 0);
  change_rerun(state, key, other_rerun);
  const auto* reservation = meant_reservation(state, state.job(key)->owner, request, now);
  const auto reservation_key = reservation ? reservation->key : ReservationKey{};
  const auto& arrays = predecessors.arrays;
  auto blocked = arrays ? blocked_tasks(state, *state.job(key), *arrays) : std::vector<TaskRange>();
  state.edit<Job>(key, [&](Job& job) {
    if (job.request->reservation != request.reservation) job.reservation_key = reservation_key;
    if (predecessors.jobs) job.waits_for = std::move(*predecessors.jobs);
    if (arrays) job.waits_for_tasks = *arrays, job.blocked = std::move(blocked);
    job.request = std::move(request);
  });
  state.waiting().leave_class(key);
  state.reindex(key, now);
}

class JobAlteration {
public:
  JobAlteration(State& state, const Caller& caller, const AlterJobs& command, Instant now)
      : state_(state),
        caller_(caller),
        command_(command),
        now_(now),
        wanted_(values_of(command, command.request)) {}

  /// False where that is more than one request may do: this job and those after it stay.
  bool take(const JobTarget& target) {
    if (command_.options.empty()) return change_holds(target), true;
    const auto& job = *state_.job(target.key);
    if (!target.tasks.empty()) {
      answer.refuse({AnswerCode::no_altering_of_tasks, {{"job", job.number}}});
      return true;
    }
    if (auto why = obstacle(state_, caller_, job, command_)) return answer.refuse(*why), true;
    const bool is_changed = changes_context(job) || names(command_, "-hold_jid") ||
                            names(command_, "-hold_jid_ad") ||
                            values_of(command_, job.request) != wanted_;
    const auto tasks = with_other_rerun(state_, job, altered_request(job.request, command_));
    if (is_changed && !state_.may_write(target.key, kept_bytes(job) + kept_bytes(wanted_) +
                                                        written_bytes(state_, target.key, tasks)))
      return answer.refuse(too_much_from(job.number)), false;
    if (is_changed || names_reservation(command_) || names(command_, "-w"))
      if (auto why = change(job, is_changed, tasks)) return answer.refuse(*why), true;
    tell_of(state_.job(target.key)->number);
    change_holds(target);
    return true;
  }

  Answer answer;

private:
  bool changes_context(const Job& job) const {
    auto context = job.request->context;
    for (const auto& one : command_.context) change_context(context, one);
    return context != job.request->context;
  }

  // Or why it stays as it was.
  std::optional<Statement> change(const Job& job, bool is_changed,
                                  const std::vector<std::int64_t>& other_rerun) {
    auto request = altered_request(job.request, command_);
    if (auto why = obstacle(state_, caller_, job, request, command_, other_rerun, now_)) return why;
    if (auto why = unsuitable(job, request)) return why;
    NewPredecessors predecessors;
    if (auto why = find_predecessors(job, request, predecessors))
      return Statement{AnswerCode::denied_for_job, {{"job", job.number}, {"why", *why}}};
    if (is_changed)
      put(state_, job.key, std::move(request), other_rerun, std::move(predecessors), now_);
    return std::nullopt;
  }

  std::optional<Statement> find_predecessors(const Job& job, const JobRequest& request,
                                             NewPredecessors& found) const {
    if (names(command_, "-hold_jid")) {
      auto keys = new_predecessors(state_, job, request.predecessors);
      if (!keys) return keys.error();
      if (auto why =
              keep_obstacle(state_, job.owner, state_.waiting().kept_bytes_of(job.owner.user),
                            bytes_beside(*keys, 1) - bytes_beside(job.waits_for, 1)))
        return why;
      found.jobs = std::move(*keys);
    }
    if (names(command_, "-hold_jid_ad")) {
      auto keys = new_array_predecessors(state_, job, request);
      if (!keys) return keys.error();
      found.arrays = std::move(*keys);
    }
    return std::nullopt;
  }

  // -w e and -w w: as at submission (spec/cli.md C3.67).
  std::optional<Statement> unsuitable(const Job& job, const JobRequest& request) {
    const auto validation = request.validation;
    if (!names(command_, "-w") || request.reservation ||
        (validation != Validation::error && validation != Validation::warning))
      return std::nullopt;
    const auto demand = demand_of_job(state_.configuration(), request, job.owner);
    const auto found = suitable(state_, *demand, request, now_);
    if (found.assignment) return std::nullopt;
    if (validation == Validation::error)
      return Statement{AnswerCode::denied_for_job,
                       {{"job", job.number},
                        {"why", Statement{AnswerCode::not_suitable_any_more,
                                          {{"why", summed_up(found.obstacles)}}}}}};
    answer.warn({AnswerCode::warning_no_suitable_queues, {}});
    return std::nullopt;
  }

  void tell_of(JobNumber number) {
    std::set<std::string> told; // -v and -V are one
    for (const auto& name : command_.options) {
      const std::string title = row_of(name).alter->title;
      if (told.insert(title).second)
        answer.say({AnswerCode::job_altered, {{"what", title}, {"job", number}}});
    }
  }

  void change_holds(const JobTarget& target) {
    const auto& job = *state_.job(target.key);
    auto released = command_.released;
    if (released.find('n') != std::string::npos) {
      released = "u";
      if (job.held_by_operator || !job.task_holds.by_operator.empty()) released += 'o';
      if (job.held_by_system || !job.task_holds.by_system.empty()) released += 's';
    }
    if (!command_.held.empty()) change_holds(job.number, target.tasks, command_.held, false);
    if (!released.empty()) change_holds(job.number, target.tasks, released, true);
  }
  void change_holds(JobNumber number, const std::vector<TaskRange>& tasks, const std::string& kinds,
                    bool release) {
    const auto has = [&](char letter) { return kinds.find(letter) != std::string::npos; };
    const auto done = change_hold(
        state_, caller_, {{to_string(number)}, {}, has('u'), has('o'), has('s'), release, tasks});
    for (const auto& statement : done.statements)
      if (answer.statements.empty() || !(answer.statements.back() == statement))
        answer.statements.push_back(statement);
    answer.exit_code = std::max(answer.exit_code, done.exit_code);
  }

  State& state_;
  const Caller& caller_;
  const AlterJobs& command_;
  Instant now_;
  JobRequest wanted_;
};

} // namespace

AlterJobs with_queue_read(const Snapshot& state, AlterJobs command) {
  auto& options = command.options;
  const auto queues = std::find(options.begin(), options.end(), "-q");
  const bool is_named = std::find(options.begin(), options.end(), "-ar") != options.end();
  if (queues == options.end() || is_named) return command;
  command.request = with_named_reservation(state, std::move(command.request));
  if (command.request.reservation) *queues = "-ar";
  return command;
}

std::optional<Statement> option_obstacle(const AlterJobs& command) {
  for (const auto& name : command.options) {
    const auto* row = find_submit_option(name);
    if (!row || row->alter->kind != Alteration::Kind::changes)
      return Statement{AnswerCode::option_not_built, {{"option", name}}};
  }
  return std::nullopt;
}

std::optional<Statement> jsv_obstacle(const GlobalConfiguration& global, const AlterJobs& command) {
  if (global.jsv_url.empty()) return std::nullopt;
  auto options = command.options;
  if (!command.held.empty() || !command.released.empty()) options.emplace_back("-h");
  for (const auto& name : options)
    if (!jsv_allows(global.jsv_allowed_mod, name))
      return Statement{AnswerCode::option_kept_by_jsv, {{"option", name}}};
  return std::nullopt;
}

Answer alter_jobs(State& state, const Caller& caller, const AlterJobs& given, Instant now) {
  const auto command = with_queue_read(state, given);
  if (auto why = option_obstacle(command)) return Answer::refusal(*why);
  if (auto why = jsv_obstacle(state.configuration().global(), command))
    return Answer::refusal(*why);
  if (command.targets.empty() && command.users.empty())
    return Answer::refusal({AnswerCode::users_or_jobs_needed, {}});
  const auto selection = select_jobs(state, caller, command.targets, command.users);
  if (!selection) return Answer::refusal({AnswerCode::denied, {{"why", selection.error()}}});
  JobAlteration alteration(state, caller, command, now);
  for (const auto& target : selection->targets)
    if (!alteration.take(target)) break;
  auto& answer = alteration.answer;
  for (const auto& unknown : selection->unknown) answer.refuse(no_such_job(unknown));
  if (answer.statements.empty()) return no_jobs_of(command.users);
  return std::move(answer);
}

} // namespace almanac::rules
