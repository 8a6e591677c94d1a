#include "core/planning/commands/holding.hpp"

#include "core/admission/kept_bytes.hpp"
#include "core/planning/commands/job_commands.hpp"
#include "core/planning/commands/targets.hpp"
#include "core/planning/requests.hpp"
#include "core/policy/standing.hpp"
#include "core/text/task_numbers.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace almanac::rules {

namespace {

constexpr std::size_t most_ranges_held = 1'000; // of a job, of each kind of hold

using Tasks = std::vector<std::int64_t>;

// One kind of hold: the flag of the whole job, and the list of single tasks.
struct HoldKind {
  bool Job::*whole;
  std::vector<TaskRange> TaskHolds::*single;
};

std::vector<HoldKind> kinds_of(const ChangeHold& command) {
  std::vector<HoldKind> kinds;
  if (command.held_by_user) kinds.push_back({&Job::held_by_user, &TaskHolds::by_user});
  if (command.held_by_operator) kinds.push_back({&Job::held_by_operator, &TaskHolds::by_operator});
  if (command.held_by_system) kinds.push_back({&Job::held_by_system, &TaskHolds::by_system});
  return kinds;
}

void change_whole(Job& job, const HoldKind& kind, bool held) {
  job.*kind.whole = held;
  (job.task_holds.*kind.single).clear();
}

// A hold of the whole job of which tasks are released becomes one of all others.
void change_tasks(Job& job, const HoldKind& kind, bool held, const Tasks& tasks) {
  auto& list = job.task_holds.*kind.single;
  if (job.*kind.whole) {
    if (held) return;
    job.*kind.whole = false;
    list = {reached(job.request->tasks)};
  }
  list = held ? tasks_with(list, tasks, job.request->tasks.step) : tasks_without(list, tasks);
}

bool holds_alike(const Job& a, const Job& b) {
  return a.held_by_user == b.held_by_user && a.held_by_operator == b.held_by_operator &&
         a.held_by_system == b.held_by_system && a.task_holds == b.task_holds;
}

class Holding {
public:
  Holding(State& state, const Caller& caller, const ChangeHold& command)
      : state_(state), caller_(caller), command_(command), kinds_(kinds_of(command)) {}

  /// False where that is more than one request may do: this job and those after it stay.
  bool take(const JobTarget& target);

  Answer answer;

private:
  Tasks tasks_meant(const Job& job, const std::vector<TaskRange>& ranges) const;
  std::optional<Statement> obstacle(const Job& before, const Job& after) const;

  State& state_;
  const Caller& caller_;
  const ChangeHold& command_;
  std::vector<HoldKind> kinds_;
  SingleTasks named_;
};

// Those that are there still, also the ones that run.
Tasks Holding::tasks_meant(const Job& job, const std::vector<TaskRange>& ranges) const {
  auto tasks = waiting_in(state_, job, ranges);
  for (const auto& task : state_.tasks_of(job.key))
    if (task.is_active() && selects(ranges, task.number)) tasks.push_back(task.number);
  std::sort(tasks.begin(), tasks.end());
  return tasks;
}

std::optional<Statement> Holding::obstacle(const Job& before, const Job& after) const {
  const auto& holds = after.task_holds;
  if (std::max({holds.by_user.size(), holds.by_operator.size(), holds.by_system.size()}) >
      most_ranges_held)
    return Statement{AnswerCode::too_many_ranges_held,
                     {{"job", after.number}, {"limit", most_ranges_held}}};
  if (holds.ranges() <= before.task_holds.ranges()) return std::nullopt;
  const auto more = bytes_beside({}, holds.ranges() - before.task_holds.ranges());
  if (auto why = keep_obstacle(state_, after.owner,
                               state_.waiting().kept_bytes_of(after.owner.user), more))
    return Statement{AnswerCode::denied_for_job, {{"job", after.number}, {"why", *why}}};
  return std::nullopt;
}

bool Holding::take(const JobTarget& target) {
  const auto& before = *state_.job(target.key);
  const auto number = before.number;
  if (!may_change(state_.configuration(), caller_, before.owner)) {
    answer.refuse(no_right_to(AnswerCode::no_right_to_modify_job, caller_, number));
    return true;
  }
  const auto& ranges = target.tasks.empty() ? command_.tasks : target.tasks;
  if (!named_.take(before, state_.tally(target.key), ranges))
    return answer.refuse(too_many_tasks_from(number)), false;
  const auto tasks = ranges.empty() ? Tasks() : tasks_meant(before, ranges);
  if (!ranges.empty() && tasks.empty()) {
    answer.refuse(no_such_task(before, ranges));
    return true;
  }
  const bool is_whole = ranges.empty() || !before.request->tasks.is_array();
  const bool held = !command_.release;
  auto after = before;
  for (const auto& kind : kinds_)
    is_whole ? change_whole(after, kind, held) : change_tasks(after, kind, held, tasks);
  if (auto why = obstacle(before, after)) return answer.refuse(std::move(*why)), true;
  answer.say({AnswerCode::hold_modified,
              {{"what", is_whole ? whole_job(before) : tasks_of(before, tasks)}}});
  if (holds_alike(before, after)) return true;
  if (!state_.may_write(target.key, kept_bytes(before))) {
    answer.statements.pop_back();
    return answer.refuse(too_much_from(number)), false;
  }
  state_.edit<Job>(target.key, [&](Job& job) {
    job.held_by_user = after.held_by_user, job.held_by_operator = after.held_by_operator;
    job.held_by_system = after.held_by_system, job.task_holds = after.task_holds;
  });
  return true;
}

// All that the caller may change, or of whom is listed.
Result<JobSelection, Statement> selected(const State& state, const Caller& caller,
                                         const ChangeHold& command) {
  if (command.targets != std::vector<std::string>{"all"})
    return select_jobs(state, caller, command.targets, command.users);
  if (!command.users.empty()) return select_jobs(state, caller, {}, command.users);
  return select_jobs(state, caller, {},
                     {is_operator(state.configuration(), caller) ? "*" : "$user"});
}

} // namespace

Answer change_hold(State& state, const Caller& caller, const ChangeHold& command) {
  if (command.targets.empty() && command.users.empty())
    return Answer::refusal({AnswerCode::users_or_jobs_needed, {}});
  if (command.held_by_operator && !is_operator(state.configuration(), caller))
    return Answer::refusal({AnswerCode::operator_hold_for_operators, {{"user", caller.user}}});
  if (command.held_by_system && !is_manager(state.configuration(), caller))
    return Answer::refusal({AnswerCode::system_hold_for_managers, {{"user", caller.user}}});
  const auto selection = selected(state, caller, command);
  if (!selection) return Answer::refusal({AnswerCode::denied, {{"why", selection.error()}}});
  Holding holding(state, caller, command);
  for (const auto& target : selection->targets)
    if (!holding.take(target)) break;
  for (const auto& unknown : selection->unknown) holding.answer.refuse(no_such_job(unknown));
  if (holding.answer.statements.empty())
    return no_jobs_of(command.users.empty() ? std::vector{caller.user} : command.users);
  return std::move(holding.answer);
}

} // namespace almanac::rules
