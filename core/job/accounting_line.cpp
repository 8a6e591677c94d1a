#include "core/job/accounting_line.hpp"

#include "core/base/wide.hpp"
#include "core/text/file_field.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

namespace almanac {

namespace {

std::string seconds(std::int64_t microseconds) { return print_millionths(microseconds); }

// In units of which there are 2^`bits` for each of what is printed.
std::string scaled(std::int64_t value, int bits) {
  const auto half = Wide(1) << (bits - 1);
  return print_millionths(clamped((Wide(value) * fixed_point::unit + half) >> bits));
}
// To the nearest one, as scaled() does it, so that what is read is printed as it was.
std::int64_t unscaled(std::int64_t millionths, int bits) {
  const auto wide = (Wide(millionths) << bits) + fixed_point::unit / 2;
  const bool down = wide < 0 && wide % fixed_point::unit != 0;
  return clamped(wide / fixed_point::unit - down);
}
constexpr int kib_in_gib = 20, bytes_in_gib = 30;

} // namespace

std::string accounting_line(const AccountingRecord& r) {
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  const auto& x = r.record;
  const auto cpu = seconds(cpu_of(r));
  const std::string zero = "0";
  return join({file_field(r.queue),
               file_field(r.host),
               file_field(r.group),
               file_field(r.owner),
               file_field(r.job_name),
               to_string(r.job_number),
               file_field(r.account),
               number(r.priority),
               number(r.submitted.seconds),
               number(r.started.seconds),
               number(r.ended.seconds),
               number(x.failed),
               number(x.exit_status),
               number(x.wallclock),
               seconds(x.user_microseconds),
               seconds(x.system_microseconds),
               number(x.maxrss_kib) + ".000000",
               zero,
               zero,
               zero,
               zero,
               number(x.minor_faults),
               number(x.major_faults),
               zero,
               number(x.blocks_in) + ".000000",
               number(x.blocks_out),
               zero,
               zero,
               zero,
               number(x.voluntary_switches),
               number(x.involuntary_switches),
               r.project.empty() ? "NONE" : file_field(r.project),
               file_field(r.department),
               file_field(r.pe),
               number(r.slots),
               number(r.task),
               cpu,
               scaled(x.memory_kib_seconds, kib_in_gib),
               scaled(x.io_bytes, bytes_in_gib),
               file_field(r.category),
               seconds(x.io_wait_microseconds),
               r.pe_task.empty() ? "NONE" : file_field(r.pe_task),
               number(x.maxvmem_bytes) + ".000000",
               to_string(r.reservation),
               number(r.reservation_submitted.seconds)},
              ":");
}

Result<AccountingRecord> parse_accounting_line(const std::string& line) {
  const auto f = split(line, ':');
  if (f.size() < 43)
    return Error{"an accounting line has 45 fields, this one " + std::to_string(f.size())};
  bool sound = true;
  const auto number = [&](std::size_t at) {
    auto value = parse_signed(f[at].substr(0, f[at].find('.')));
    sound = sound && value.ok();
    return value ? *value : 0;
  };
  const auto microseconds = [&](std::size_t at) {
    auto value = parse_millionths(f[at]);
    sound = sound && value.ok();
    return value ? *value : 0;
  };
  AccountingRecord r;
  r.queue = f[0], r.host = f[1], r.group = f[2], r.owner = f[3], r.job_name = f[4],
  r.account = f[6];
  r.job_number = {number(5)}, r.priority = number(7);
  r.submitted = {number(8)}, r.started = {number(9)}, r.ended = {number(10)};
  r.record.failed = number(11), r.record.exit_status = number(12), r.record.wallclock = number(13);
  r.record.user_microseconds = microseconds(14), r.record.system_microseconds = microseconds(15),
  r.record.maxrss_kib = number(16);
  r.record.minor_faults = number(21), r.record.major_faults = number(22);
  r.record.blocks_in = number(24), r.record.blocks_out = number(25);
  r.record.voluntary_switches = number(29), r.record.involuntary_switches = number(30);
  r.project = f[31] == "NONE" ? "" : f[31], r.department = f[32];
  if (const auto cpu = microseconds(36); cpu != cpu_of(r)) r.cpu_microseconds = cpu;
  r.record.memory_kib_seconds = unscaled(microseconds(37), kib_in_gib);
  r.record.io_bytes = unscaled(microseconds(38), bytes_in_gib);
  r.record.io_wait_microseconds = microseconds(40), r.record.maxvmem_bytes = number(42);
  r.pe = f[33], r.slots = number(34), r.task = number(35), r.category = f[39];
  if (f[41] != "NONE") r.pe_task = f[41];
  if (f.size() >= 45) r.reservation = {number(43)}, r.reservation_submitted = {number(44)};
  if (!sound) return Error{"an accounting line holds a malformed number: " + line};
  return r;
}

} // namespace almanac
