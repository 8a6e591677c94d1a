#include "core/planning/accounting.hpp"

#include "core/job/inside.hpp"
#include "core/job/output_places.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/reserved_usage.hpp"
#include "core/planning/texts.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <utility>

namespace almanac::rules {

namespace {

// The access lists that its owner is on.
std::vector<std::string> lists_of(const Configuration& configuration, const Caller& owner) {
  std::vector<std::string> names;
  for (const auto& [name, set] : configuration.usersets())
    if (set.is_access_list && set.contains(owner.user, primary_group(owner))) names.push_back(name);
  return names;
}

std::string category_of(const Configuration& configuration, const Job& job) {
  std::vector<std::string> parts;
  if (const auto lists = lists_of(configuration, job.owner); !lists.empty())
    parts.push_back("-U " + join(lists, ","));
  if (!job.request->resources.empty())
    parts.push_back("-l " + print_resource_requests(job.request->resources));
  if (!job.request->queues.empty()) parts.push_back("-q " + join(job.request->queues, ","));
  if (!job.request->master_queues.empty())
    parts.push_back("-masterq " + join(job.request->master_queues, ","));
  if (!job.request->pe.empty())
    parts.push_back("-pe " + job.request->pe + " " + print_slot_ranges(job.request->slots));
  if (!job.request->pe_rule.empty()) parts.push_back("-par " + job.request->pe_rule);
  if (!job.request->allocation_rule.empty())
    parts.push_back("-alloc " + job.request->allocation_rule + " " +
                    print_slot_ranges(job.request->slots));
  if (!job.request->checkpoint.empty()) parts.push_back("-ckpt " + job.request->checkpoint);
  if (!job.request->project.empty()) parts.push_back("-P " + job.request->project);
  if (job.request->reservation) parts.push_back("-ar " + to_string(job.request->reservation));
  return parts.empty() ? "NONE" : join(parts, " ");
}

// By the host's clock, where that can be: news of an end may come late.
Instant end_of(const Task& task, const ExitRecord& record, Instant now) {
  const Instant told{record.ended};
  return record.ended > 0 && told >= task.started && told <= now ? told : now;
}

AccountingRecord entry_of(const State& state, const Job& job, std::int64_t task,
                          ReservationKey inside) {
  AccountingRecord entry;
  entry.job = job.key, entry.job_number = job.number, entry.task = task;
  entry.owner = job.owner.user, entry.group = job.owner.group;
  entry.job_name = job.request->name, entry.account = job.request->account,
  entry.priority = job.request->priority;
  entry.submitted = job.submitted;
  entry.pe = "NONE", entry.slots = 0;
  entry.category = category_of(state.configuration(), job);
  if (const auto* reservation = state.reservation(inside)) {
    entry.reservation = reservation->number;
    entry.reservation_submitted = reservation->submitted;
  }
  entry.project = job.request->project;
  entry.department = state.configuration().department_of(job.owner.user, primary_group(job.owner));
  return entry;
}

// Scripts that look only at the exit status see that it did not run, or not to its end. One whose
// program is missing has 0, as it was observed (V10.2): it waits in error, and may yet run.
bool is_without_status(const ExitRecord& record) {
  switch (record.failed) {
  case failed::before_job:
  case failed::before_prolog:
  case failed::after_pe_start:
  case failed::prolog:
  case failed::pe_start:
  case failed::by_signal:
  case failed::shepherd:
  case failed::no_exit_status:
  case failed::lost:
  case failed::cannot_open_output:
  case failed::no_directory:
  case failed::group_id: return record.exit_status == 0;
  default: return false;
  }
}

// A process that a signal ended did not end as its user meant it to, whoever sent it (observed: 100
// with 128 and the signal).
ExitRecord with_its_signal(ExitRecord record) {
  if (record.failed != failed::none || record.signal == 0) return record;
  record.failed = failed::killed;
  record.reason = text_of({AnswerCode::died_by_signal, {{"signal", record.signal}}});
  return record;
}

AccountingRecord entry_at(const State& state, const Job& job, const Task& task,
                          const InstanceName& place) {
  auto entry = entry_of(state, job, task.number, reservation_of(job, task));
  entry.queue = place.queue, entry.host = place.host;
  if (!task.pe.empty()) entry.pe = task.pe;
  entry.slots = slots_of(task.grants);
  return entry;
}

// Its host is one of the task's, or whoever tells of it says more than it can know.
void account_process(State& state, const Job& job, const Task& task, const ProcessEnd& process,
                     Instant now) {
  const auto grant = std::find_if(task.grants.begin(), task.grants.end(), [&](const Grant& each) {
    return equal_ignoring_case(each.instance.host, process.host);
  });
  if (grant == task.grants.end()) return;
  auto entry = entry_at(state, job, task, grant->instance);
  entry.ended = end_of(task, process.record, now);
  entry.started = std::max(task.started, Instant{entry.ended.seconds - process.record.wallclock});
  entry.pe_task = ProcessEnd{grant->instance.host, process.number, {}}.pe_task();
  entry.record = with_its_signal(process.record);
  state.append(std::move(entry));
}

} // namespace

void write_accounting(State& state, const Job& job, const Task& task, const ExitRecord& record,
                      Instant now) {
  auto entry = entry_at(state, job, task, task.grants.front().instance);
  entry.started = task.started, entry.ended = end_of(task, record, now);
  if (task.grants.size() > 1) entry.grants = task.grants;
  const auto places = output_places(job, task);
  entry.output_path = places.output, entry.error_path = places.error;
  entry.record = with_its_signal(record);
  if (is_without_status(record)) entry.record.exit_status = 1;
  const auto told = entry.record;
  account_reserved(state.configuration(), job, task, entry);
  state.append(std::move(entry));
  mail(state, told.failed == failed::none ? Occasion::job_ended : Occasion::job_aborted, job, task,
       told);
}

TaskEnded account_processes(State& state, TaskEnded end, Instant now) {
  const auto& task = *state.task(end.attempt.id());
  const auto& job = *state.job(end.attempt.job);
  const auto pe = state.configuration().environment(task.pe);
  const auto own = std::find_if(end.processes.begin(), end.processes.end(),
                                [](const ProcessEnd& process) { return process.is_own(); });
  if (own == end.processes.end() || !pe || pe->accounting_summary) return end;
  set_usage(end.record, own->record);
  for (const auto& process : end.processes)
    if (!process.is_own()) account_process(state, job, task, process, now);
  return end;
}

void account_waiting(State& state, const Job& job, std::int64_t task, const ExitRecord& record,
                     Instant now) {
  auto entry = entry_of(state, job, task, job.reservation_key);
  entry.queue = entry.host = "UNKNOWN";
  entry.ended = now, entry.record = record;
  state.append(std::move(entry));
}

} // namespace almanac::rules
