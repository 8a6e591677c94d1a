#include "tools/commands/accounting_table.hpp"
#include "tools/output/json.hpp"

namespace almanac {

namespace {
double seconds(std::int64_t microseconds) { return as_number(microseconds); }
} // namespace

// Names are those of the text; what is a number is one.
std::string record_json(const AccountingRecord& r) {
  const auto& x = r.record;
  Json made{{"jobnumber", r.job_number.value}};
  if (r.task > 0) made["taskid"] = r.task;
  put_if_set(made, "pe_taskid", r.pe_task);
  made["jobname"] = r.job_name, made["owner"] = r.owner, made["group"] = r.group;
  made["qname"] = r.queue, made["hostname"] = r.host;
  put_if_set(made, "project", r.project), put_if_set(made, "department", r.department);
  made["account"] = r.account, made["priority"] = r.priority;
  put_if_set(made, "qsub_time", r.submitted), put_if_set(made, "start_time", r.started);
  put_if_set(made, "end_time", r.ended);
  put_if_set(made, "granted_pe", r.pe);
  made["slots"] = r.slots, made["failed"] = static_cast<std::int64_t>(x.failed);
  if (x.failed != failed::none)
    put_if_set(made, "failed_reason", x.reason.empty() ? failed_text(x.failed) : x.reason);
  made["exit_status"] = x.exit_status, made["ru_wallclock"] = x.wallclock;
  made["ru_utime"] = seconds(x.user_microseconds),
  made["ru_stime"] = seconds(x.system_microseconds);
  made["ru_maxrss"] = x.maxrss_kib;
  made["ru_minflt"] = x.minor_faults, made["ru_majflt"] = x.major_faults;
  made["ru_inblock"] = x.blocks_in, made["ru_oublock"] = x.blocks_out;
  made["ru_nvcsw"] = x.voluntary_switches, made["ru_nivcsw"] = x.involuntary_switches;
  made["cpu"] = seconds(cpu_of(r));
  made["memory_kib_seconds"] = x.memory_kib_seconds, made["io_bytes"] = x.io_bytes;
  made["iow"] = seconds(x.io_wait_microseconds), made["maxvmem_bytes"] = x.maxvmem_bytes;
  if (r.reservation) made["arid"] = r.reservation.value;
  put_if_set(made, "category", r.category);
  put_if_set(made, "output_path", r.output_path), put_if_set(made, "error_path", r.error_path);
  return json_text(made);
}

} // namespace almanac
