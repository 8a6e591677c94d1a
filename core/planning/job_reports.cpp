#include "core/planning/job_reports.hpp"

#include "core/job/accounting_line.hpp"
#include "core/job/job_event.hpp"
#include "core/text/file_field.hpp"
#include "core/text/words.hpp"

#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t priority_base = 1024; // what the file has is not below 0

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

struct Step {
  const char* event = nullptr; ///< none: nothing that is told
  std::string message;
};

Step step_to_place(const Task* before, const Task& after) {
  const bool was_active = before && before->is_active();
  if (after.is_active() && (!was_active || before->attempt != after.attempt))
    return {job_sent.word, job_sent.message};
  if (was_active && before->state == TaskState::sent && after.state == TaskState::running)
    return {job_delivered.word, job_delivered.message};
  return {};
}

Step step_of(const Task* before, const Task& after) {
  if (const auto placed = step_to_place(before, after); placed.event) return placed;
  if (!before) return {};
  if (after.state == TaskState::error && before->state != TaskState::error)
    return {"error", after.reason};
  if (after.state == TaskState::pending && before->state != TaskState::pending)
    return {before->state == TaskState::error ? "pending" : "restart", after.reason};
  if (after.suspended != before->suspended)
    return {after.suspended ? "suspended" : "unsuspended", ""};
  return {};
}

} // namespace

bool JobReports::tells_of_steps() const {
  const auto& global = records_.configuration().global();
  return global.writes_reports && global.writes_job_log;
}

void JobReports::changed(const Job* before, const Job* after) {
  if (!tells_of_steps()) return;
  if (!before) return came(*after);
  if (after && before->is_held() != after->is_held())
    found_.push_back(step(*after, nullptr, after->is_held() ? "held" : "released", ""));
  const auto left = before->fresh_tasks() - (after ? after->fresh_tasks() : 0);
  if (left <= 0) return;
  auto& dropped = dropped_[before->key];
  dropped.tasks += left, dropped.report = step(*before, nullptr, "deleted", "");
}

void JobReports::changed(const Task* before, const Task* after) {
  if (!tells_of_steps()) return;
  const auto& task = after ? *after : *before;
  if (!before) --dropped_[task.job].tasks;
  const auto* job = records_.find<Job>(task.job);
  if (!job) return;
  if (!after) {
    const bool has_ended = before->is_active() && !before->deleting;
    found_.push_back(step(*job, before, has_ended ? job_finished.word : "deleted",
                          has_ended ? job_finished.message : ""));
  } else if (const auto next = step_of(before, *after); next.event)
    found_.push_back(step(*job, after, next.event, next.message));
}

void JobReports::appended(const AccountingRecord& record) {
  if (!records_.configuration().global().writes_reports) return;
  auto& report = found_.emplace_back();
  report.kind = ReportKind::acct, report.text = accounting_line(record);
}

std::vector<ReportingRecord> JobReports::take() {
  for (auto& [job, dropped] : dropped_)
    if (dropped.tasks > 0) found_.push_back(std::move(dropped.report));
  dropped_.clear();
  return std::exchange(found_, {});
}

void JobReports::came(const Job& job) {
  auto& report = found_.emplace_back();
  report.kind = ReportKind::new_job, report.submitted = job.submitted;
  report.text = join({to_string(job.number), "-1", "NONE", names(records_, job),
                      number(priority_base + job.request->priority)},
                     ":");
  found_.push_back(step(job, nullptr, job_came.word, job_came.message));
}

// Who it was that changed a job no record says: it is its owner where it comes, else the master.
ReportingRecord JobReports::step(const Job& job, const Task* task, const std::string& event,
                                 const std::string& message) const {
  const bool has_place = task && !task->grants.empty();
  ReportingRecord report;
  report.kind = ReportKind::job_log, report.submitted = job.submitted;
  report.text =
      join({event, to_string(job.number), number(task ? task->number : -1), // 0: of no array
            "NONE", task ? state_letters(*task, job.is_held(task->number)) : "",
            event == job_came.word && !task ? file_field(job.owner.user) : "qmaster",
            file_field(has_place ? task->grants.front().instance.host : job.owner.host), "0",
            number(priority_base + job.request->priority), number(job.submitted.seconds),
            names(records_, job), file_field(message)},
           ":");
  return report;
}

} // namespace almanac
