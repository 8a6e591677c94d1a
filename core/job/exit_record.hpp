// How a task ended, as its shepherd writes it down and as accounting reports it.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"

#include <cstdint>
#include <string>

namespace almanac {

/// `failed` codes of accounting (spec/cli.md section 9.5).
namespace failed {
inline constexpr std::int64_t none = 0;
inline constexpr std::int64_t before_job = 1;
inline constexpr std::int64_t before_prolog = 7;
inline constexpr std::int64_t prolog = 8;
inline constexpr std::int64_t pe_start = 10;
inline constexpr std::int64_t after_pe_start = 11; ///< and before the job's own process
inline constexpr std::int64_t pe_stop = 13;
inline constexpr std::int64_t epilog = 15;
inline constexpr std::int64_t by_signal = 17; ///< a shepherd that was killed
inline constexpr std::int64_t shepherd = 18;
inline constexpr std::int64_t no_exit_status = 19;
inline constexpr std::int64_t unknown_job = 21;
inline constexpr std::int64_t lost = 22;
inline constexpr std::int64_t migrate = 24;
inline constexpr std::int64_t rescheduled = 25;
inline constexpr std::int64_t cannot_open_output = 26;
inline constexpr std::int64_t no_shell = 27;
inline constexpr std::int64_t no_directory = 28;
inline constexpr std::int64_t application = 30;
inline constexpr std::int64_t run_time_limit = 37;
inline constexpr std::int64_t group_id = 38;
inline constexpr std::int64_t killed = 100;
} // namespace failed

struct ExitRecord {
  std::int64_t failed = 0;
  std::int64_t exit_status = 0; ///< 128 + n for signal n
  std::string reason;           ///< for people, where failed is not 0
  std::int64_t wallclock = 0;   ///< seconds the user's process ran
  std::int64_t user_microseconds = 0;
  std::int64_t system_microseconds = 0;
  std::int64_t maxrss_kib = 0;
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t blocks_in = 0, blocks_out = 0;
  std::int64_t voluntary_switches = 0, involuntary_switches = 0;
  std::int64_t step_status = 0; ///< of the command around the job that failed
  std::int64_t ended = 0;       ///< when the user's process ended, by the host's clock; 0: unknown
  /// As in TaskUsage, at the end.
  std::int64_t memory_kib_seconds = 0, io_bytes = 0, io_wait_microseconds = 0, maxvmem_bytes = 0;
  std::int64_t signal = 0; ///< that ended the user's process, whoever sent it; 0: it exited
  /// Of the process that was checkpointed last (core/execution/checkpoint_plan.hpp); 0: none was.
  std::int64_t checkpoint_pid = 0;
};
template <class V> void describe(V& visit, ExitRecord& r) {
  visit("failed", r.failed);
  visit("exit_status", r.exit_status);
  visit("reason", r.reason);
  visit("wallclock", r.wallclock);
  visit("user_microseconds", r.user_microseconds);
  visit("system_microseconds", r.system_microseconds);
  visit("maxrss_kib", r.maxrss_kib);
  visit("minor_faults", r.minor_faults);
  visit("major_faults", r.major_faults);
  visit("blocks_in", r.blocks_in);
  visit("blocks_out", r.blocks_out);
  visit("voluntary_switches", r.voluntary_switches);
  visit("involuntary_switches", r.involuntary_switches);
  visit("step_status", r.step_status);
  visit("ended", r.ended);
  visit("memory_kib_seconds", r.memory_kib_seconds);
  visit("io_bytes", r.io_bytes);
  visit("io_wait_microseconds", r.io_wait_microseconds);
  visit("maxvmem_bytes", r.maxvmem_bytes);
  visit("signal", r.signal);
  visit("checkpoint_pid", r.checkpoint_pid);
}

/// The record of a process that was never started.
inline ExitRecord not_started(const std::string& why) {
  ExitRecord record;
  record.failed = failed::before_job, record.exit_status = 1, record.reason = why;
  return record;
}

/// Adds what another process of the same task used. What it had at once counts where it is more: they
/// may have run one after the other.
void add_usage(ExitRecord& task, const ExitRecord& process);

/// What `record` says of use becomes what `process` used; how it ended stays.
void set_usage(ExitRecord& record, const ExitRecord& process);

/// What a code says where a record has no reason of its own, as those of a file have none; "" for
/// one that nobody uses.
const char* failed_text(std::int64_t failed);

/// One "name value" a line; the shepherd links no codec.
std::string print_exit_record(const ExitRecord& record);

} // namespace almanac
