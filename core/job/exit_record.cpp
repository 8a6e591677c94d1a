#include "core/job/exit_record.hpp"

#include "core/base/wide.hpp"

#include <algorithm>
#include <array>

namespace almanac {

namespace {

struct Printer {
  std::string text;
  void operator()(const char* name, std::int64_t value) {
    text += std::string(name) + " " + std::to_string(value) + "\n";
  }
  void operator()(const char* name, const std::string& value) {
    auto line = value;
    for (auto& c : line)
      if (c == '\n') c = ' ';
    text += std::string(name) + " " + line + "\n";
  }
};

constexpr std::array summed{
    &ExitRecord::user_microseconds,
    &ExitRecord::system_microseconds,
    &ExitRecord::minor_faults,
    &ExitRecord::major_faults,
    &ExitRecord::blocks_in,
    &ExitRecord::blocks_out,
    &ExitRecord::voluntary_switches,
    &ExitRecord::involuntary_switches,
    &ExitRecord::memory_kib_seconds,
    &ExitRecord::io_bytes,
    &ExitRecord::io_wait_microseconds,
};
constexpr std::array highest{&ExitRecord::maxrss_kib, &ExitRecord::maxvmem_bytes};

} // namespace

const char* failed_text(std::int64_t code) {
  switch (code) {
  case failed::before_job: return "assumedly before job";
  case failed::before_prolog: return "before prolog";
  case failed::prolog: return "in prolog";
  case failed::pe_start: return "in pestart";
  case failed::after_pe_start: return "before job";
  case failed::pe_stop: return "in pestop";
  case failed::epilog: return "in epilog";
  case failed::by_signal: return "through signal";
  case failed::shepherd: return "shepherd returned error";
  case failed::no_exit_status: return "before writing exit_status";
  case failed::unknown_job: return "in recognizing job";
  case failed::lost: return "the host of the job was lost";
  case failed::migrate: return "migrating";
  case failed::rescheduled: return "rescheduling";
  case failed::cannot_open_output: return "opening input/output file";
  case failed::no_shell: return "searching requested shell";
  case failed::no_directory: return "changing into working directory";
  case failed::application: return "rescheduling on application error";
  case failed::run_time_limit: return "qmaster enforced h_rt, h_cpu, or h_vmem limit";
  case failed::group_id: return "adding supplementary group";
  case failed::killed: return "assumedly after job";
  default: return "";
  }
}

void add_usage(ExitRecord& task, const ExitRecord& process) {
  for (const auto field : summed) task.*field = clamped(Wide(task.*field) + process.*field);
  for (const auto field : highest) task.*field = std::max(task.*field, process.*field);
}

void set_usage(ExitRecord& record, const ExitRecord& process) {
  for (const auto field : summed) record.*field = process.*field;
  for (const auto field : highest) record.*field = process.*field;
}

std::string print_exit_record(const ExitRecord& record) {
  Printer printer;
  describe(printer, const_cast<ExitRecord&>(record));
  return printer.text;
}

} // namespace almanac
