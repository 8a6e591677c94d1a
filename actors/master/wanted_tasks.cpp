#include "actors/master/wanted_tasks.hpp"

#include "actors/support.hpp"
#include "core/execution/reconcile.hpp"
#include "core/planning/questions/host_tasks.hpp"
#include "core/text/words.hpp"

#include <utility>

namespace almanac {

namespace {

std::vector<ReportedTask> reported_in(const session::Register& list, const HostTasks& known) {
  const std::set<Attempt> over(known.over.begin(), known.over.end());
  std::vector<ReportedTask> reported;
  for (const auto& task : list.tasks)
    reported.push_back({task.attempt, task.store_id, task.term,
                        task.phase == session::TaskPhase::ended, over.contains(task.attempt)});
  return reported;
}

} // namespace

void WantedTasks::want(const WantTask& want) {
  const auto attempt = want.order->attempt;
  auto& task = tasks_[attempt];
  const bool launch_again = task.want.launch;
  task.overdue = task.overdue || (task.want.gives_way && !want.gives_way);
  task.want = want;
  task.want.launch = want.launch || (launch_again && !task.launched);
  settle(attempt, task);
}

void WantedTasks::unwant(const Attempt& attempt) {
  tasks_.erase(attempt), early_.erase(attempt), to_send_again_.erase(attempt);
  if (session_) say(session::Forget{attempt});
  crash_point("acknowledged");
}

void WantedTasks::begin_session(SessionActor session, const session::Register& list,
                                const HostTasks& known, bool same_spool) {
  end_session();
  session_ = std::move(session);
  signer_.take(list);
  takes_limits_ = list.takes_limits, takes_moves_ = list.takes_moves;
  takes_preemption_ = list.takes_preemption;
  const auto verdict =
      reconcile(known.wanted, reported_in(list, known), same_spool, store_id_, term_);
  for (const auto& attempt : verdict.forget) say(session::Forget{attempt});
  note_doubtful(verdict.doubtful);
  for (const auto& attempt : verdict.lost) tell(TaskLost{attempt, host_});
  to_send_again_.insert(verdict.send_again.begin(), verdict.send_again.end());
  std::set<Attempt> wanted;
  for (const auto& task : known.wanted) wanted.insert(task.attempt);
  for (const auto& report : list.tasks)
    if (wanted.contains(report.attempt)) early_.emplace(report.attempt, report);
  for (auto& [attempt, task] : tasks_) settle(attempt, task);
}

void WantedTasks::note_doubtful(const std::vector<Attempt>& attempts) {
  if (!attempts.empty())
    spdlog::error(
        "host {} has {} tasks that the master does not know: none is stopped, please look", host_,
        attempts.size());
  for (const auto& attempt : attempts)
    spdlog::warn("host={} has task {} of the job with the key {}, which no record knows", host_,
                 attempt.task, attempt.job.value);
  doubtful_.insert(attempts.begin(), attempts.end());
}

std::string WantedTasks::doubt() const {
  constexpr std::size_t most = 5;
  if (doubtful_.empty()) return "";
  std::vector<std::string> named;
  for (const auto& attempt : doubtful_) {
    if (named.size() == most) {
      named.emplace_back("...");
      break;
    }
    named.push_back(to_string(attempt.job) +
                    (attempt.task > 0 ? "." + std::to_string(attempt.task) : ""));
  }
  return std::to_string(doubtful_.size()) +
         " tasks run here that no record knows (keys of their jobs: " + join(named, ", ") +
         "): they are left alone until somebody ends them";
}

// Brings together what is wanted and what the agent was found to have, whichever came first.
void WantedTasks::settle(const Attempt& attempt, Wanted& task) {
  if (to_send_again_.erase(attempt) != 0) task.want.launch = true;
  const auto found = early_.extract(attempt);
  if (!found.empty()) task.launched = true;
  push(attempt, task);
  if (!found.empty()) take(found.mapped());
}

void WantedTasks::push(const Attempt& attempt, Wanted& task) const {
  using session::TaskAction;
  if (!session_) return;
  if (task.want.launch && !std::exchange(task.launched, true)) {
    const auto& tasks = task.want.order->job.tasks;
    if (!tasks.empty()) task.limit = tasks.front().limit.seconds;
    launch(*task.want.order);
    task.suspended = false;
  }
  if (task.want.kill) end(attempt, task);
  if (task.suspended != task.want.suspended) {
    say(session::Control{attempt, task.want.suspended ? TaskAction::suspend : TaskAction::resume});
    task.suspended = task.want.suspended;
    task.was_suspended = task.was_suspended || task.want.suspended;
  }
  if (takes_limits_ && task.launched && task.begins_on(host_) && task.want.limit > task.limit)
    say(signer_.limit(attempt, task.limit = task.want.limit));
}

// One that runs again is saved before it ends, by its first host: the parts on others end with it.
// A later order to end it for good comes through nevertheless. One that gives way to a reservation
// may clean up, on each of its hosts, as long as that waits for it; then it is killed.
void WantedTasks::end(const Attempt& attempt, Wanted& task) const {
  if (!task.overdue && takes_moves_ && task.want.runs_again &&
      task.want.order->checkpoint.is_asked_for) {
    if (!task.killed && !std::exchange(task.moved, true) && task.begins_on(host_))
      say(session::Control{attempt, session::TaskAction::move});
  } else if (takes_preemption_ && task.want.gives_way) {
    if (!task.killed && !std::exchange(task.preempted, true))
      say(session::Control{attempt, session::TaskAction::preempt});
  } else if (!std::exchange(task.killed, true))
    say(session::Control{attempt, session::TaskAction::kill});
}

void WantedTasks::launch(session::Launch order) const {
  const auto attempt = order.attempt;
  auto signed_order = signer_.sign(std::move(order));
  if (const auto* failure = std::get_if<WarrantSigner::Failure>(&signed_order)) {
    ExitRecord end;
    end.failed = failed::before_job, end.reason = failure->why;
    return tell(LaunchFailed{attempt, host_, failure->is_users_fault, end});
  }
  say(std::get<session::Launch>(std::move(signed_order)));
  crash_point("spooled");
}

void WantedTasks::take(const session::TaskReport& report) {
  if (const auto known = early_.find(report.attempt); known != early_.end()) {
    known->second = report;
    return;
  }
  if (doubtful_.contains(report.attempt) && report.phase != session::TaskPhase::ended) return;
  doubtful_.erase(report.attempt);
  const auto it = tasks_.find(report.attempt);
  if (it != tasks_.end()) return take_of(it->second, report);
  // Nobody waits for it any more: its end is known or it was taken away.
  if (report.store_id == store_id_ && report.term <= term_ && session_)
    say(session::Forget{report.attempt});
}

void WantedTasks::take_of(Wanted& task, const session::TaskReport& report) const {
  const bool is_first = task.begins_on(host_);
  if (report.phase == session::TaskPhase::running) {
    crash_point("forked");
    task.want.launch = false;
    if (is_first) tell(TaskStarted{report.attempt}), take_saved(task, report);
  }
  if (report.phase != session::TaskPhase::ended) return;
  crash_point("exit-written");
  const LaunchFailed end{report.attempt, host_, report.user_fault, report.record};
  // Once it is durable the record lets the attempt go, and with it goes the agent's copy.
  if (is_first) tell(fact_of_end(end, report.began, report.processes));
  else if (auto fact = fact_of_part(end, report.began)) tell(std::move(*fact));
}

// Once for an attempt: it has one process. Of one that ends its record says so, too.
void WantedTasks::take_saved(Wanted& task, const session::TaskReport& report) const {
  const auto process = report.record.checkpoint_pid;
  if (process <= 0 || std::exchange(task.is_saved, true)) return;
  tell(TaskSaved{report.attempt, process});
}

void WantedTasks::end_session() {
  session_ = SessionActor();
  early_.clear(), to_send_again_.clear(), doubtful_.clear();
  for (auto& [attempt, task] : tasks_) {
    task.launched = task.killed = task.moved = task.preempted = false;
    if (task.was_suspended) task.suspended.reset();
    task.limit = 0;
  }
}

void WantedTasks::take(const PartSilent& part) const {
  const auto it = tasks_.find(part.attempt);
  if (it != tasks_.end() && it->second.begins_on(host_)) tell(part);
}

void WantedTasks::tell_fenced(const Lease& lease) const {
  for (const auto& [attempt, task] : tasks_)
    if (task.begins_on(host_) && lease.is_past(task.want.order->job.tasks.front().fence))
      tell(TaskFenced{attempt, host_});
}

void WantedTasks::say(session::Message message) const {
  caf::anon_send(session_, Say{std::move(message)});
}

void WantedTasks::tell(ValidInput fact) const { caf::anon_send(calendar_, Tell{std::move(fact)}); }

} // namespace almanac
