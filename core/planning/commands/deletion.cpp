#include "core/planning/commands/deletion.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/commands/job_commands.hpp"
#include "core/planning/requests.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/texts.hpp"
#include "core/planning/transitions.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>
#include <optional>

// qdel: jobs and tasks go, those that run once they have ended.

namespace almanac::rules {

namespace {

constexpr std::size_t most_ranges_left = 1'000; // of a job: what is left of an array

// The tasks of a job that are meant, ascending.
struct Meant {
  bool whole = false;                ///< all of the job
  std::vector<TaskRange> rest;       ///< of the whole: those that wait
  std::vector<std::int64_t> waiting; ///< single ones that wait
  std::vector<std::int64_t> active;
  bool all_go = true; ///< the active ones are on their way out already
};

std::vector<TaskRange> all_waiting(const State& state, const Job& job) {
  auto ranges = job.fresh;
  for (const auto& task : state.tasks_of(job.key))
    if (!task.is_active()) ranges.push_back({task.number, task.number, 1});
  std::sort(ranges.begin(), ranges.end(),
            [](const TaskRange& a, const TaskRange& b) { return a.first < b.first; });
  std::vector<TaskRange> joined;
  for (const auto& range : ranges)
    if (!joined.empty() && joined.back().step == 1 && range.step == 1 &&
        joined.back().last + 1 == range.first)
      joined.back().last = range.last;
    else joined.push_back(range);
  return joined;
}

// Of the whole job no task is looked at that never left the queue.
Meant choose(const State& state, const Job& job, const std::vector<TaskRange>& ranges) {
  Meant meant;
  meant.whole = ranges.empty() || (!job.request->tasks.is_array() && selects(ranges, 0));
  for (const auto& task : state.tasks_of(job.key)) {
    if (!task.is_active() || !selects(ranges, task.number)) continue;
    meant.active.push_back(task.number);
    meant.all_go = meant.all_go && task.deleting && task.after_end == AfterEnd::gone;
  }
  if (!meant.whole) meant.waiting = waiting_in(state, job, ranges);
  return meant;
}

// Which tasks of an array something is done to: one, or several.
struct TaskCodes {
  AnswerCode one, several;
};
constexpr TaskCodes deleted{AnswerCode::task_deleted, AnswerCode::tasks_deleted};
constexpr TaskCodes registered{AnswerCode::task_deletion_registered,
                               AnswerCode::tasks_deletion_registered};

class Deletion {
public:
  Deletion(State& state, const Caller& caller, const DeleteJobs& command, Instant now)
      : state_(state), caller_(caller), command_(command), now_(now) {}

  /// False where that is more than one request may do: this job and those after it stay.
  bool take(const JobTarget& target);

  Answer answer;

private:
  void tell(AnswerCode code, JobNumber job) {
    answer.say({code, {{"user", caller_.user}, {"job", job}}});
  }
  void tell(TaskCodes codes, JobNumber job, const std::string& tasks, bool is_one) {
    answer.say({is_one ? codes.one : codes.several,
                {{"user", caller_.user}, {"job", job}, {"tasks", tasks}}});
  }
  void tell(TaskCodes codes, JobNumber job, const std::vector<std::int64_t>& tasks) {
    tell(codes, job, print_tasks(tasks), tasks.size() == 1);
  }
  /// -f, or ENABLE_FORCED_QDEL_IF_UNKNOWN (sge_conf(5)).
  bool is_forced(const TaskId& id) const {
    return command_.force ||
           (state_.configuration().global().forced_qdel_if_unknown &&
            state_.host(state_.task(id)->grants.front().instance.host).phase == HostPhase::unknown);
  }
  bool is_forced(JobKey key, const std::vector<std::int64_t>& tasks) const {
    return std::any_of(tasks.begin(), tasks.end(), [&](std::int64_t number) {
      return is_forced({key, number});
    });
  }
  std::optional<Statement> split_obstacle(const Job& job, const Meant& meant) const;
  void delete_waiting(const Job& before);
  void tell_of(const Job& job, const Meant& meant);
  void end_active(JobKey key, const std::vector<std::int64_t>& tasks);
  void drop_waiting(const Job& job, const Meant& meant);

  State& state_;
  const Caller& caller_;
  const DeleteJobs& command_;
  Instant now_;
  SingleTasks named_;
};

// Takes no longer for an array of many tasks, nor for a long record.
void Deletion::delete_waiting(const Job& before) {
  tell(AnswerCode::job_deleted, before.number);
  mail(state_, Occasion::job_aborted, before, 0,
       not_started(text_of({AnswerCode::deleted_by, {{"user", caller_.user}}})));
  erase_job(state_, before.key);
}

void Deletion::tell_of(const Job& job, const Meant& meant) {
  const auto& rest = meant.rest;
  const bool is_array = job.request->tasks.is_array();
  const bool in_parts = is_array && (!meant.whole || !rest.empty());
  if (!rest.empty())
    tell(deleted, job.number, print_tasks(rest), rest.size() == 1 && rest.front().count() == 1);
  if (!meant.waiting.empty()) tell(deleted, job.number, meant.waiting);
  if (meant.active.empty()) return;
  if (in_parts) tell(registered, job.number, meant.active);
  else tell(AnswerCode::deletion_registered, job.number);
  if (is_forced(job.key, meant.active)) tell(AnswerCode::deletion_forced, job.number);
}

void Deletion::end_active(JobKey key, const std::vector<std::int64_t>& tasks) {
  ExitRecord record;
  record.failed = failed::killed;
  record.reason = text_of({AnswerCode::deletion_forced_by, {{"user", caller_.user}}});
  for (const auto number : tasks) {
    if (is_forced({key, number})) finish_task(state_, {key, number}, record, now_);
    else
      state_.edit<Task>({key, number},
                        [](Task& task) { task.deleting = true, task.after_end = AfterEnd::gone; });
  }
}

void Deletion::drop_waiting(const Job& job, const Meant& meant) {
  const bool is_one = !meant.whole && meant.waiting.size() == 1;
  mail(state_, Occasion::job_aborted, job, is_one ? meant.waiting.front() : 0,
       not_started(text_of({AnswerCode::deleted_by, {{"user", caller_.user}}})));
  if (!meant.whole) return drop_waiting_tasks(state_, job.key, meant.waiting);
  forget_waiting(state_, job.key);
}

// What is left of an array is kept as ranges.
std::optional<Statement> Deletion::split_obstacle(const Job& job, const Meant& meant) const {
  if (meant.whole) return std::nullopt;
  const auto left = tasks_without(job.fresh, meant.waiting).size();
  if (left <= job.fresh.size()) return std::nullopt;
  if (left > most_ranges_left)
    return Statement{AnswerCode::too_many_ranges_left,
                     {{"job", job.number}, {"limit", most_ranges_left}}};
  if (auto why = keep_obstacle(state_, job.owner, state_.waiting().kept_bytes_of(job.owner.user),
                               bytes_beside({}, left - job.fresh.size())))
    return Statement{AnswerCode::too_much_left, {{"job", job.number}, {"why", *why}}};
  return std::nullopt;
}

bool Deletion::take(const JobTarget& target) {
  const auto& job = *state_.job(target.key);
  const auto number = job.number;
  const auto& ranges = target.tasks.empty() ? command_.tasks : target.tasks;
  if (!named_.take(job, state_.tally(job.key), ranges))
    return answer.refuse(too_many_tasks_from(number)), false;
  auto meant = choose(state_, job, ranges);
  if (meant.whole && state_.tally(job.key).active == 0) return delete_waiting(job), true;
  if (meant.whole) meant.rest = all_waiting(state_, job);
  if (!meant.whole && meant.waiting.empty() && meant.active.empty()) {
    answer.refuse(no_such_task(job, ranges));
    return true;
  }
  if (auto why = split_obstacle(job, meant)) return answer.refuse(*why), true;
  const bool drops = !meant.rest.empty() || !meant.waiting.empty();
  const bool is_known = !drops && meant.all_go && !is_forced(target.key, meant.active);
  const auto more_ranges = std::min(meant.waiting.size(), most_ranges_left);
  const auto bytes = (drops ? kept_bytes(job) : 0) + bytes_beside({}, more_ranges) +
                     written_bytes(state_, target.key, meant.active);
  if (!is_known && !state_.may_write(job.key, bytes))
    return answer.refuse(too_much_from(number)), false;
  tell_of(job, meant);
  if (is_known) return true;
  end_active(target.key, meant.active);
  if (drops) drop_waiting(*state_.job(target.key), meant);
  erase_if_finished(state_, target.key);
  return true;
}

} // namespace

Answer delete_jobs(State& state, const Caller& caller, const DeleteJobs& command, Instant now) {
  if (command.targets.empty() && command.users.empty())
    return Answer::refusal({AnswerCode::users_or_jobs_needed, {}});
  if (command.force && !is_operator(state.configuration(), caller) &&
      !state.configuration().global().forced_qdel_for_owners)
    return Answer::refusal({AnswerCode::forced_deletion_for_operators, {{"user", caller.user}}});
  const auto selection = select_jobs(state, caller, command.targets, command.users);
  if (!selection) return Answer::refusal({AnswerCode::denied, {{"why", selection.error()}}});
  Deletion deletion(state, caller, command, now);
  auto& answer = deletion.answer;
  for (const auto& target : selection->targets) {
    const auto* job = state.job(target.key);
    if (!job) continue;
    if (may_change(state.configuration(), caller, job->owner)) {
      if (!deletion.take(target)) break;
    } else if (!command.targets.empty())
      answer.refuse(no_right_to(AnswerCode::no_right_to_delete_job, caller, job->number));
  }
  for (const auto& unknown : selection->unknown) answer.refuse(no_such_job(unknown));
  if (answer.statements.empty()) return no_jobs_of(command.users);
  return answer;
}

} // namespace almanac::rules
