#include "core/planning/job_reports.hpp"

#include "core/job/accounting_line.hpp"
#include "core/text/file_field.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t priority_base = 1024; // what the file has is not below 0
constexpr std::int64_t no_task = -1;         // of the job as a whole
constexpr std::int64_t another_try = 99;     // a job exits with it

std::string number(std::int64_t value) { return std::to_string(value); }

// From the job's name to its account.
std::string names(const Records& records, const Job& job) {
  const auto& owner = job.owner;
  return join({file_field(job.request->name), file_field(owner.user), file_field(owner.group),
               file_field(job.request->project),
               file_field(records.configuration().department_of(owner.user, primary_group(owner))),
               file_field(job.request->account)},
              ":");
}

// Of one that has a place: "t" until it runs. The file has no others for what becomes of it.
std::string state_of(const Task& task) { return task.state == TaskState::sent ? "t" : "r"; }

const std::string& host_of(const Task& task) { return task.grants.front().instance.host; }

} // namespace

bool JobReports::tells_of_steps() const {
  const auto& global = records_.configuration().global();
  return global.writes_reports && global.writes_job_log;
}

void JobReports::note_command(const Caller& caller) {
  if (tells_of_steps()) wanted_by_ = {caller.user, caller.host};
}

JobReports::By JobReports::whoever_wants() const {
  return wanted_by_.name.empty() ? master(by_master) : wanted_by_;
}

void JobReports::changed(const Job* before, const Job* after) {
  if (!tells_of_steps()) return;
  if (!before) return came(*after);
  if (after && before->is_held() != after->is_held())
    found_.push_back(
        step(*after, no_task, after->is_held() ? job_held : job_released, "", whoever_wants()));
  const auto left = before->fresh_tasks() - (after ? after->fresh_tasks() : 0);
  if (left <= 0) return;
  auto& dropped = dropped_[before->key];
  dropped.tasks += left;
  dropped.report = step(*before, no_task, job_deleted, "", whoever_wants());
}

void JobReports::changed(const Task* before, const Task* after) {
  if (!tells_of_steps()) return;
  const auto& task = after ? *after : *before;
  if (!before) --dropped_[task.job].tasks;
  const auto* job = records_.find<Job>(task.job);
  if (!job) return;
  const bool was_active = before && before->is_active();
  if (!after) return went(*job, *before);
  if (!after->is_active()) {
    if (was_active) left_place(*job, *before, *after);
    else if (before && before->state == TaskState::error && after->state == TaskState::pending)
      tell(*job, *after, job_cleared, "", whoever_wants());
  } else if (!was_active || before->attempt != after->attempt)
    tell(*job, *after, job_sent, state_of(*after), master(by_master));
  else if (before->state != after->state)
    tell(*job, *after, job_delivered, state_of(*after), master(by_master));
  else if (before->suspended != after->suspended)
    tell(*job, *after, after->suspended ? job_suspended : job_continued, state_of(*after),
         whoever_wants());
}

// A place that is given up by a command was taken by force: else its host tells of the end first.
void JobReports::went(const Job& job, const Task& before) {
  if (!before.is_active()) return tell(job, before, job_deleted, "", whoever_wants());
  const auto state = state_of(before);
  const auto* host = records_.find<HostState>(host_of(before));
  if (!wanted_by_.name.empty())
    tell(job, before, job_deleted_by_force, state, master(by_scheduler));
  else if (host && host->phase != HostPhase::unknown)
    tell(job, before, job_finished, state, {by_host, host_of(before)});
  tell(job, before, job_waits_to_go, state, master(by_master));
  tell(job, before, job_gone, "T", master(by_scheduler));
}

void JobReports::left_place(const Job& job, const Task& before, const Task& after) {
  const auto state = state_of(before);
  const auto* host = records_.find<HostState>(host_of(before));
  if (host && host->phase != HostPhase::unknown) {
    const bool fails = after.state == TaskState::error;
    const auto& event = fails                             ? job_in_error
                        : before.is_moving()              ? job_moves
                        : before.state == TaskState::sent ? job_never_ran
                        : wants_another_try_              ? job_wants_another_try
                                                          : job_runs_again;
    tell(job, before, event, state, {by_host, host_of(before)},
         fails && !after.reason.empty() ? "(" + after.reason + ")" : "");
  }
  tell(job, before, job_rescheduled, state, master(by_master),
       to_string(job.number) + "." + number(std::max<std::int64_t>(before.number, 1)));
}

void JobReports::appended(const AccountingRecord& record) {
  if (!records_.configuration().global().writes_reports) return;
  wants_another_try_ = record.record.exit_status == another_try;
  auto& report = found_.emplace_back();
  report.kind = ReportKind::acct, report.text = accounting_line(record);
}

std::vector<ReportingRecord> JobReports::take() {
  for (auto& [job, dropped] : dropped_)
    if (dropped.tasks > 0) found_.push_back(std::move(dropped.report));
  dropped_.clear();
  wanted_by_ = {}, wants_another_try_ = false;
  return std::exchange(found_, {});
}

void JobReports::came(const Job& job) {
  auto& report = found_.emplace_back();
  report.kind = ReportKind::new_job, report.submitted = job.submitted;
  report.text = join({to_string(job.number), number(no_task), "NONE", names(records_, job),
                      number(priority_base + job.request->priority)},
                     ":");
  found_.push_back(step(job, no_task, job_came, "", {job.owner.user, job.owner.host}));
}

void JobReports::tell(const Job& job, const Task& task, const JobEvent& event,
                      const std::string& state, const By& by, const std::string& detail) {
  found_.push_back(step(job, task.number, event, state, by, detail)); // number 0: of no array
}

ReportingRecord JobReports::step(const Job& job, std::int64_t task, const JobEvent& event,
                                 const std::string& state, const By& by,
                                 const std::string& detail) const {
  ReportingRecord report;
  report.kind = ReportKind::job_log, report.submitted = job.submitted;
  report.text = join({event.word, to_string(job.number), number(task), "NONE", state,
                      file_field(by.name), file_field(by.host), "0",
                      number(priority_base + job.request->priority), number(job.submitted.seconds),
                      names(records_, job), file_field(event.message + detail)},
                     ":");
  return report;
}

} // namespace almanac
