#include "tools/commands/commands.hpp"
#include "tools/commands/qrstat_usage.hpp"

#include "core/job/accounting_filter.hpp"
#include "core/job/accounting_line.hpp"
#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"
#include "core/text/table.hpp"

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <optional>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qacct [options]
   -ar [ar_id]               sums by advance reservation, or of one, and how many of its
                             slot-seconds were used, idle or unavailable
   -f file                   read this accounting file instead of asking the master
   -help                     print this help
   -j [job_id|name]          every record of the jobs
   -o [owner]                sums by owner, or of one
)";

std::string date(Instant instant) {
  return instant.seconds == 0 ? "-/-" : print_local(instant, "%a %b %e %H:%M:%S %Y");
}

double seconds(std::int64_t microseconds) { return static_cast<double>(microseconds) / 1e6; }

void print_record(std::ostream& out, const AccountingRecord& r) {
  const auto put = [&](const char* name, const std::string& value) {
    out << line(left(name, 13) + left(value, 20));
  };
  const auto& x = r.record;
  out << std::string(62, '=') << "\n";
  put("qname", r.queue);
  put("hostname", r.host);
  put("group", r.group);
  put("owner", r.owner);
  put("project", r.project.empty() ? "NONE" : r.project);
  put("department", r.department);
  put("jobname", r.job_name);
  put("jobnumber", to_string(r.job_number));
  put("taskid", r.task > 0 ? std::to_string(r.task) : "undefined");
  put("account", r.account);
  put("priority", std::to_string(r.priority));
  put("qsub_time", date(r.submitted));
  put("start_time", date(r.started));
  put("end_time", date(r.ended));
  put("granted_pe", r.pe);
  put("slots", std::to_string(r.slots));
  put("failed",
      x.failed == 0 ? "0" : std::to_string(x.failed) + (x.reason.empty() ? "" : " : " + x.reason));
  put("exit_status", std::to_string(x.exit_status));
  put("ru_wallclock", std::to_string(x.wallclock));
  put("ru_utime", fixed(seconds(x.user_microseconds), 3));
  put("ru_stime", fixed(seconds(x.system_microseconds), 3));
  put("ru_maxrss", std::to_string(x.maxrss_kib));
  put("ru_minflt", std::to_string(x.minor_faults));
  put("ru_majflt", std::to_string(x.major_faults));
  put("ru_inblock", std::to_string(x.blocks_in));
  put("ru_oublock", std::to_string(x.blocks_out));
  put("ru_nvcsw", std::to_string(x.voluntary_switches));
  put("ru_nivcsw", std::to_string(x.involuntary_switches));
  put("cpu", fixed(seconds(x.user_microseconds + x.system_microseconds), 3));
  put("mem", "0.000");
  put("io", "0.000");
  put("iow", "0.000");
  put("maxvmem", "0.000");
  put("arid", r.reservation ? to_string(r.reservation) : "undefined");
  put("ar_sub_time", r.reservation ? date(r.reservation_submitted) : "undefined");
}

// What a sum is of: each part only where records are grouped by it.
struct Group {
  std::string owner;
  ReservationNumber reservation;
  auto operator<=>(const Group&) const = default;
};

struct Grouping {
  bool by_owner = false, by_reservation = false;
};

struct Sum {
  double wallclock = 0, user = 0, system = 0;
  void add(const AccountingRecord& r) {
    wallclock += static_cast<double>(r.record.wallclock);
    user += seconds(r.record.user_microseconds), system += seconds(r.record.system_microseconds);
  }
};

using ReservationUsages = std::map<ReservationNumber, ReservationUsage>;

// In slot-seconds.
std::vector<std::string> figures_of(const ReservationUsage& usage) {
  return {std::to_string(usage.reserved()), std::to_string(usage.used), std::to_string(usage.idle),
          std::to_string(usage.unavailable)};
}

// Without `usages` only what jobs used.
void print_sums(std::ostream& out, Grouping grouping, const std::map<Group, Sum>& sums,
                const std::optional<ReservationUsages>& usages) {
  const auto row = [&](const std::string& owner, const std::string& reservation,
                       const std::vector<std::string>& figures) {
    std::string text;
    if (grouping.by_owner) text += left(owner, 10) + " ";
    if (grouping.by_reservation) text += left(reservation, 10) + " ";
    for (std::size_t i = 0; i < figures.size(); ++i)
      text += (i == 0 ? "" : " ") + right(figures[i], i < 4 ? 13 : 18);
    return text;
  };
  std::vector<std::string> names{"WALLCLOCK", "UTIME", "STIME", "CPU", "MEMORY", "IO", "IOW"};
  if (usages)
    for (const char* name : {"RESERVED", "USED", "IDLE", "UNAVAILABLE"}) names.emplace_back(name);
  const auto head = row("OWNER", "AR", names);
  if (!grouping.by_owner && !grouping.by_reservation) out << "Total System Usage\n";
  out << head << "\n" << std::string(head.size(), '=') << "\n";
  for (const auto& [group, sum] : sums) {
    std::vector<std::string> figures{fixed(sum.wallclock, 0),
                                     fixed(sum.user, 3),
                                     fixed(sum.system, 3),
                                     fixed(sum.user + sum.system, 3),
                                     "0.000",
                                     "0.000",
                                     "0.000"};
    if (usages) {
      const auto found = usages->find(group.reservation);
      for (auto& figure : figures_of(found == usages->end() ? ReservationUsage() : found->second))
        figures.push_back(std::move(figure));
    }
    out << row(group.owner, to_string(group.reservation), figures) << "\n";
  }
}

// What the options leave; an error where one of them can't be met.
Result<AccountingFilter> wanted(const GivenOptions& given) {
  AccountingFilter filter;
  if (const auto* job = given.last("-j")) {
    const auto number = parse_number(*job);
    if (number && *number > 0) filter.number = {*number};
    else filter.name = *job;
  }
  if (const auto* owner = given.last("-o")) filter.owner = *owner;
  if (const auto* reservation = given.last("-ar")) {
    const auto number = parse_number(*reservation);
    if (!number || *number <= 0)
      return Error{"\"" + *reservation + "\" is not the number of an advance reservation"};
    filter.reservation = {*number};
  }
  return filter;
}

using Use = std::function<void(const AccountingRecord&)>;
using Asked = std::function<int(const Use&)>; ///< hands over what is wanted; the exit code

int read_file(Context& context, const std::string& path, const AccountingFilter& filter,
              const Use& use) {
  auto text = read_text_file(path.starts_with('/') ? path : context.directory + "/" + path);
  if (!text) return complain(context, text.what());
  for (const auto& entry : split(printable(*text, "\n"), '\n')) {
    if (entry.empty() || entry.front() == '#') continue;
    const auto record = parse_accounting_line(entry);
    if (!record) return complain(context, path + ": " + record.what());
    if (wants(filter, *record)) use(*record);
  }
  return 0;
}

// An older master sends all records: what is not wanted is left out here.
int ask_master(Context& context, const AccountingFilter& filter, const Use& use) {
  Instant known_since;
  const int asked =
      ask<door::Accounting>(context, door::GetAccounting{filter}, [&](door::Accounting& frame) {
        known_since = std::max(known_since, frame.known_since);
        for (const auto& record : frame.records)
          if (wants(filter, record)) use(record);
      });
  if (asked == 0 && known_since.seconds > 0)
    context.err << "qacct: the master keeps no record of tasks that ended before "
                << print_time(known_since) << "; older ones are in the accounting file (-f)\n";
  return asked;
}

int print_jobs(Context& context, const std::string* wanted_job, const Asked& read) {
  bool any = false;
  const int code = read([&](const AccountingRecord& record) {
    print_record(context.out, record);
    any = true;
  });
  if (code != 0 || any || !wanted_job) return code;
  const bool number = wanted_job->find_first_not_of("0123456789") == std::string::npos;
  context.err << "error: job " << (number ? "id " : "name ") << *wanted_job << " not found\n";
  return 1;
}

int print_usage(Context& context, Grouping grouping, const Asked& read) {
  std::map<Group, Sum> sums;
  if (!grouping.by_owner && !grouping.by_reservation) sums[{}];
  const int code = read([&](const AccountingRecord& record) {
    sums[{grouping.by_owner ? record.owner : "",
          grouping.by_reservation ? record.reservation : ReservationNumber{}}]
        .add(record);
  });
  if (code == 0) print_sums(context.out, grouping, sums, std::nullopt);
  return code;
}

// With what became of the slots of each reservation, whether jobs were in it or not. A number that
// was given again stands for all that had it, as in accounting.
int print_reservations(Context& context, ReservationNumber wanted, const Asked& read) {
  std::map<Group, Sum> sums;
  const int code = read([&](const AccountingRecord& record) {
    sums[{"", record.reservation}].add(record);
  });
  if (code != 0) return code;
  door::GetUsage query;
  if (wanted) query.reservations = {wanted.value};
  std::optional<ReservationUsages> usages;
  const int asked = ask_usage(context, query, [&](const door::UsageReport& report) {
    usages.emplace();
    for (const auto& row : report.reservations) {
      sums[{"", row.number}];
      auto& sum = (*usages)[row.number];
      sum.used += row.usage.used, sum.idle += row.usage.idle;
      sum.unavailable += row.usage.unavailable;
    }
  });
  print_sums(context.out, {false, true}, sums, usages);
  return asked;
}

} // namespace

int qacct(Context& context) {
  static const std::vector<OptionRule> rules{{"-ar", -1},
                                             {"-f", 1},
                                             {"-help", 0},
                                             {"-j", -1},
                                             {"-o", -1},
                                             {"-A", 1, false},
                                             {"-b", 1, false},
                                             {"-d", 1, false},
                                             {"-D", -1, false},
                                             {"-e", 1, false},
                                             {"-g", -1, false},
                                             {"-h", -1, false},
                                             {"-l", 1, false},
                                             {"-pe", -1, false},
                                             {"-P", -1, false},
                                             {"-q", -1, false},
                                             {"-slots", -1, false},
                                             {"-t", 1, false}};
  int code = 0;
  const auto given = read_options(context, rules, usage, code);
  if (!given) return code;
  const auto filter = wanted(*given);
  if (!filter) return complain(context, filter.what());
  const Asked read = [&](const Use& use) {
    const auto* path = given->last("-f");
    return path ? read_file(context, *path, *filter, use) : ask_master(context, *filter, use);
  };
  if (given->has("-j")) return print_jobs(context, given->last("-j"), read);
  if (given->has("-ar") && !given->has("-o") && !given->has("-f"))
    return print_reservations(context, filter->reservation, read);
  return print_usage(context, {given->has("-o"), given->has("-ar")}, read);
}

} // namespace almanac
