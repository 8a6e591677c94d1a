// What is kept of a task once it has ended.
#pragma once

#include "core/base/time.hpp"
#include "core/base/wide.hpp"
#include "core/job/exit_record.hpp"
#include "core/job/grant.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

/// What accounting keeps of one task's run (spec/cli.md section 11).
struct AccountingRecord {
  std::int64_t sequence = 0;
  JobKey job;
  JobNumber job_number;
  std::int64_t task = 0;
  std::string queue, host;
  std::string owner, group;
  std::string job_name, account;
  std::int64_t priority = 0;
  Instant submitted, started, ended;
  std::string pe;
  std::int64_t slots = 1;
  std::string category;
  ReservationNumber reservation;
  Instant reservation_submitted;
  ExitRecord record;
  std::string project; ///< "": none
  std::string department;
  std::vector<Grant> grants; ///< where it had slots, if that was more than one queue instance
  std::string output_path, error_path; ///< as output_places() says; "": none, or not known
  /// "1.node02": of a process of qrsh -inherit, which has a record of its own where its parallel
  /// environment has accounting_summary FALSE; "": of the task.
  std::string pe_task;
  /// What accounting calls cpu, where that is not user and system time together; 0: it is.
  std::int64_t cpu_microseconds = 0;
};
template <class V> void describe(V& visit, AccountingRecord& r) {
  visit("sequence", r.sequence);
  visit("job", r.job);
  visit("job_number", r.job_number);
  visit("task", r.task);
  visit("queue", r.queue);
  visit("host", r.host);
  visit("owner", r.owner);
  visit("group", r.group);
  visit("job_name", r.job_name);
  visit("account", r.account);
  visit("priority", r.priority);
  visit("submitted", r.submitted);
  visit("started", r.started);
  visit("ended", r.ended);
  visit("pe", r.pe);
  visit("slots", r.slots);
  visit("category", r.category);
  visit("reservation", r.reservation);
  visit("reservation_submitted", r.reservation_submitted);
  visit("record", r.record);
  visit("project", r.project);
  visit("department", r.department);
  visit("grants", r.grants);
  visit("output_path", r.output_path);
  visit("error_path", r.error_path);
  visit("pe_task", r.pe_task);
  visit("cpu_microseconds", r.cpu_microseconds);
}

inline std::int64_t cpu_of(const AccountingRecord& r) {
  if (r.cpu_microseconds != 0) return r.cpu_microseconds;
  return clamped(Wide(r.record.user_microseconds) + r.record.system_microseconds);
}

} // namespace almanac
