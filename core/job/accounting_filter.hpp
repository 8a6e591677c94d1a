// Which accounting records a reader wants (spec/cli.md sections 7 and 11, qacct).
#pragma once

#include "core/job/accounting_record.hpp"
#include "core/text/ranges.hpp"

#include <string>
#include <vector>

namespace almanac {

/// A record has to meet each of these that is given: 0, "" and none are any.
struct AccountingFilter {
  JobNumber number;
  std::string name; ///< of the job, or a pattern
  std::string owner;
  ReservationNumber reservation;
  /// Patterns; NONE stands for none, in a project, a department and a parallel environment.
  std::string account, group, host, project, department, pe;
  std::string queue; ///< a pattern for "all.q", or with an @ for "all.q@n1"
  std::int64_t slots = 0;
  Instant begun_from, begun_to; ///< started then or later, then or earlier
  std::vector<TaskRange> tasks; ///< of arrays
  bool by_end = false;          ///< those times are of the end
  bool tasks_only = false;      ///< not of processes of qrsh -inherit
  bool operator==(const AccountingFilter&) const = default;
};
template <class V> void describe(V& visit, AccountingFilter& f) {
  visit("number", f.number);
  visit("name", f.name);
  visit("owner", f.owner);
  visit("reservation", f.reservation);
  visit("account", f.account);
  visit("group", f.group);
  visit("host", f.host);
  visit("project", f.project);
  visit("department", f.department);
  visit("pe", f.pe);
  visit("queue", f.queue);
  visit("slots", f.slots);
  visit("begun_from", f.begun_from);
  visit("begun_to", f.begun_to);
  visit("tasks", f.tasks);
  visit("by_end", f.by_end);
  visit("tasks_only", f.tasks_only);
}

/// As much of a record as a filter asks about: who looks through a million reads no more of those that
/// nobody wants. On the disk it is an AccountingRecord.
struct AccountingGlance {
  JobNumber job_number;
  std::int64_t task = 0;
  std::string queue, host, owner, group, job_name, account;
  Instant started, ended;
  std::string pe;
  std::int64_t slots = 0;
  ReservationNumber reservation;
  std::string project, department;
  std::string pe_task;
};
template <class V> void describe(V& visit, AccountingGlance& r) {
  visit("job_number", r.job_number);
  visit("task", r.task);
  visit("queue", r.queue);
  visit("host", r.host);
  visit("owner", r.owner);
  visit("group", r.group);
  visit("job_name", r.job_name);
  visit("account", r.account);
  visit("started", r.started);
  visit("ended", r.ended);
  visit("pe", r.pe);
  visit("slots", r.slots);
  visit("reservation", r.reservation);
  visit("project", r.project);
  visit("department", r.department);
  visit("pe_task", r.pe_task);
}

/// What is looked for in the store.
struct AccountingQuery {
  AccountingFilter filter;
  JobKey job;                         ///< only of this one, where several had the number; 0: any
  std::vector<AccountingRecord> also; ///< come last, in place of what is stored of these tasks
};

bool wants(const AccountingFilter& filter, const AccountingRecord& record);
bool wants(const AccountingFilter& filter, const AccountingGlance& record);

} // namespace almanac
