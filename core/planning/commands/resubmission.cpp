#include "core/planning/commands/resubmission.hpp"

#include "core/planning/commands/alteration.hpp"
#include "core/planning/commands/job_commands.hpp"
#include "core/planning/commands/submission.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/keyed_reservations.hpp"
#include "core/planning/wanted_job.hpp"
#include "core/policy/standing.hpp"
#include "core/request/altered_request.hpp"

#include <algorithm>
#include <iterator>

namespace almanac::rules {

namespace {

constexpr std::size_t most_copies = 100; // each may be searched a place for, and everybody waits

// A copy is not verified again (jsv_url): what could be different in it is held to jsv_allowed_mod.
Submit copy_of(const GlobalConfiguration& global, const Job& job, const AlterJobs& changes) {
  Submit copy{altered_request(job.request, changes), job.script_hash, job.script_bytes,
              global.jsv_url};
  auto& request = copy.request;
  request.held_by_user = changes.held.find('u') != std::string::npos;
  request.reserve_for = {}; // what was reserved for the job is named in it
  return copy;
}

// Which reservation the copy uses because the job does; of one that is named the claim was looked at.
ReservationNumber reservation_of_copy(const State& state, const Job& job,
                                      const AlterJobs& changes) {
  const auto names = [&](const char* option) {
    const auto& options = changes.options;
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  const auto own = job.request->reservation;
  if (names("-ar") || (names("-q") && !own)) return {};
  return with_named_reservation(state, altered_request(job.request, changes)).reservation;
}

void add(Answer& answer, Answer more) {
  answer.statements.insert(answer.statements.end(),
                           std::make_move_iterator(more.statements.begin()),
                           std::make_move_iterator(more.statements.end()));
  answer.exit_code = std::max(answer.exit_code, more.exit_code);
  if (more.number > 0) answer.number = more.number;
}

} // namespace

Answer resubmit(State& state, const Caller& caller, const ResubmitJobs& command, Instant now) {
  const auto& changes = command.changes;
  if (auto why = option_obstacle(changes)) return Answer::refusal(*why);
  if (auto why = jsv_obstacle(state.configuration().global(), changes))
    return Answer::refusal(*why);
  if (changes.targets.empty() && changes.users.empty())
    return Answer::refusal({AnswerCode::users_or_jobs_needed, {}});
  const auto selection = select_jobs(state, caller, changes.targets, changes.users);
  if (!selection) return Answer::refusal({AnswerCode::denied, {{"why", selection.error()}}});
  if (selection->targets.size() > most_copies)
    return Answer::refusal({AnswerCode::too_many_jobs_to_copy,
                            {{"jobs", selection->targets.size()}, {"limit", most_copies}}});
  Answer answer;
  for (const auto& target : selection->targets) {
    const auto& job = *state.job(target.key);
    if (!may_change(state.configuration(), caller, job.owner))
      answer.refuse(no_right_to(AnswerCode::no_right_to_copy_job, caller, job.number));
    else if (!target.tasks.empty())
      answer.refuse({AnswerCode::no_copy_of_tasks, {{"job", job.number}}});
    else if (job.request->interaction != Interaction::none)
      answer.refuse({AnswerCode::no_copy_of_interactive_job, {{"job", job.number}}});
    else if (const auto used = reservation_of_copy(state, job, changes); needs_its_key(state, used))
      answer.refuse({AnswerCode::key_needed, {{"reservation", used}}});
    else
      add(answer,
          submit(state, caller, copy_of(state.configuration().global(), job, changes), now));
  }
  for (const auto& unknown : selection->unknown) answer.refuse(no_such_job(unknown));
  return answer.statements.empty() ? no_jobs_of(changes.users) : answer;
}

} // namespace almanac::rules
