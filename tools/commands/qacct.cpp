#include "tools/commands/accounting_file.hpp"
#include "tools/commands/accounting_table.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/qrstat_usage.hpp"

#include "core/job/accounting_filter.hpp"
#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <optional>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qacct [options]
   -A account                jobs of this account (-A of qsub), or of those that match a pattern
   -ar [ar_id]               sums by advance reservation, or of one, and how many of its
                             slot-seconds were used, idle or unavailable
   -b [[CC]YY]MMDDhhmm[.SS]  jobs that started then or later
   -d days                   jobs that started in so many days from -b on, up to -e, or up to now
   -D [department]           sums by department, or of one
   -e [[CC]YY]MMDDhhmm[.SS]  jobs that started then or earlier
   -E                        -b, -d and -e are about the end of a job, not about its start
   -f file                   read this accounting file instead of asking the master
   -g [group]                sums by the group of the owner, or of one
   -h [host]                 sums by host, or of one
   -help                     print this help
   -j [job_id|name]          every record of the jobs
   -json                     as JSON (share/schemas/qacct.schema.json)
   -l attribute=value,...    jobs in this queue (qname) on this host (hostname); what else is
                             named plays no part
   -m                        without records of processes of qrsh -inherit (pe_taskid)
   -o [owner]                sums by owner, or of one
   -P [project]              sums by project, or of one
   -pe [pe_name]             sums by parallel environment, or of one
   -q [queue|queue@host]     sums by queue, or of one
   -slots [number]           sums by the number of slots, or of jobs with so many
   -t first[-last[:step]]    with -j: these tasks of an array
   -u [owner]                as -o
   -xml                      as XML (share/schemas/qacct.xsd)
)";

constexpr std::int64_t day = 86'400;

// ---- what is wanted -----------------------------------------------------------------------------

Result<std::int64_t> positive(const std::string& text, const char* what) {
  const auto number = parse_number(text);
  if (!number || *number <= 0) return Error{"\"" + text + "\" is not " + what};
  return *number;
}

Outcome read_moment(const Context& context, const GivenOptions& given, const char* option,
                    Instant& into) {
  const auto* text = given.last(option);
  if (!text) return Done{};
  const auto date = parse_date_time(*text);
  if (!date) return Error{std::string(option) + ": " + date.what()};
  const auto moment = to_instant(*date, context.now());
  if (!moment) return Error{std::string(option) + ": " + moment.what()};
  into = *moment;
  return Done{};
}

Outcome read_times(const Context& context, const GivenOptions& given, AccountingFilter& filter) {
  if (auto read = read_moment(context, given, "-b", filter.begun_from); !read) return read;
  if (auto read = read_moment(context, given, "-e", filter.begun_to); !read) return read;
  const auto* days = given.last("-d");
  if (!days) return Done{};
  constexpr std::int64_t most_days = 100'000;
  const auto number = positive(*days, "a number of days");
  if (!number) return number.error();
  const auto span = Duration{std::min(*number, most_days) * day};
  const bool has_start = filter.begun_from.seconds > 0, has_end = filter.begun_to.seconds > 0;
  if (has_start && has_end)
    return Error{"-b, -e and -d exclude each other: two of them are enough"};
  if (has_start) filter.begun_to = filter.begun_from + span;
  else {
    const auto end = has_end ? filter.begun_to : context.now();
    filter.begun_from = {std::max<std::int64_t>(1, end.seconds - span.seconds)};
  }
  return Done{};
}

// What of the accounting a request of -l can name.
Outcome read_resources(const GivenOptions& given, AccountingFilter& filter) {
  const auto* text = given.last("-l");
  if (!text) return Done{};
  for (const auto& request : split(*text, ',')) {
    const auto equals = request.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == request.size())
      return Error{"-l: \"" + request + "\" is not attribute=value"};
    const auto name = request.substr(0, equals), value = request.substr(equals + 1);
    if (name == "qname" || name == "q") filter.queue = value;
    if (name == "hostname" || name == "h") filter.host = value;
  }
  return Done{};
}

Outcome read_tasks(const GivenOptions& given, AccountingFilter& filter) {
  const auto* text = given.last("-t");
  if (!text) return Done{};
  if (!given.has("-j")) return Error{"-t names tasks of a job, so it needs -j"};
  for (const auto& part : split(*text, ',')) {
    const auto range = parse_task_range(part);
    if (!range) return Error{"-t: " + range.what()};
    filter.tasks.push_back(*range);
  }
  return Done{};
}

Outcome read_numbers(const GivenOptions& given, AccountingFilter& filter) {
  if (const auto* job = given.last("-j")) {
    const auto number = parse_number(*job);
    if (number && *number > 0) filter.number = {*number};
    else filter.name = *job;
  }
  if (const auto* reservation = given.last("-ar")) {
    const auto number = parse_reservation_id(*reservation);
    if (!number || number->value <= 0)
      return Error{"\"" + *reservation + "\" is not the number of an advance reservation"};
    filter.reservation = *number;
  }
  if (const auto* slots = given.last("-slots")) {
    const auto number = positive(*slots, "a number of slots");
    if (!number) return number.error();
    filter.slots = *number;
  }
  return Done{};
}

// What the options leave; an error where one of them can't be met.
Result<AccountingFilter> wanted(const Context& context, const GivenOptions& given) {
  AccountingFilter filter;
  filter.by_end = given.has("-E"), filter.tasks_only = given.has("-m");
  if (filter.by_end && !given.has("-b") && !given.has("-e") && !given.has("-d"))
    return Error{"-E says what -b, -e and -d are about, and none of them is there"};
  if (auto read = read_numbers(given, filter); !read) return read.error();
  if (auto read = read_times(context, given, filter); !read) return read.error();
  if (auto read = read_resources(given, filter); !read) return read.error();
  if (auto read = read_tasks(given, filter); !read) return read.error();
  for (const auto& [option, into] :
       {std::pair("-A", &filter.account), std::pair("-D", &filter.department),
        std::pair("-g", &filter.group), std::pair("-h", &filter.host),
        std::pair("-o", &filter.owner), std::pair("-u", &filter.owner),
        std::pair("-P", &filter.project), std::pair("-pe", &filter.pe),
        std::pair("-q", &filter.queue)})
    if (const auto* text = given.last(option)) *into = *text;
  if (filter.queue.find("@@") != std::string::npos)
    return Error{"-q " + filter.queue + ": accounting knows hosts, no host groups"};
  return filter;
}

// The columns in the order in which Grid Engine has them.
std::vector<SumBy> columns_of(const GivenOptions& given) {
  std::vector<SumBy> columns;
  for (const auto& [option, column] :
       {std::pair("-h", SumBy::host), std::pair("-q", SumBy::queue), std::pair("-g", SumBy::group),
        std::pair(given.has("-u") ? "-u" : "-o", SumBy::owner), std::pair("-P", SumBy::project),
        std::pair("-D", SumBy::department), std::pair("-pe", SumBy::pe),
        std::pair("-slots", SumBy::slots), std::pair("-ar", SumBy::reservation)})
    if (given.has(option)) columns.push_back(column);
  return columns;
}

// ---- where it comes from ------------------------------------------------------------------------

using Use = std::function<void(const AccountingRecord&)>;
using Asked = std::function<int(const Use&)>; ///< hands over what is wanted; the exit code

int read_file(Context& context, const GivenOptions& given, const AccountingFilter& filter,
              const Use& use) {
  const auto& path = *given.last("-f");
  const auto read =
      read_accounting_file(path.starts_with('/') ? path : context.directory + "/" + path, filter,
                           use, [&](const std::string& warning) { complain(context, warning); });
  return read ? 0 : complain(context, read.what());
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

constexpr const char* xml_head = "<?xml version='1.0'?>\n<qacct_result>\n";
constexpr const char* xml_end = "</qacct_result>\n";

int not_found(Context& context, const std::string& job) {
  const bool number = job.find_first_not_of("0123456789") == std::string::npos;
  context.err << "error: job " << (number ? "id " : "name ") << job << " not found\n";
  return 1;
}

enum class Form { text, xml, json };

Form form_of(const GivenOptions& given) {
  return given.has("-json") ? Form::json : given.has("-xml") ? Form::xml : Form::text;
}

// As they come: a cell's history has millions.
int print_jobs_json(Context& context, const std::string* wanted_job, const Asked& read) {
  constexpr const char* head = "{\"jobs\":[";
  bool any = false;
  const int code = read([&](const AccountingRecord& record) {
    context.out << (any ? "," : head) << "\n" << record_json(record);
    any = true;
  });
  if (any) context.out << "\n]}\n";
  else if (code == 0 && !wanted_job) context.out << head << "]}\n";
  if (code == 0 && !any && wanted_job) return not_found(context, *wanted_job);
  return code;
}

int print_jobs(Context& context, const std::string* wanted_job, Form form, const Asked& read) {
  if (form == Form::json) return print_jobs_json(context, wanted_job, read);
  const bool as_xml = form == Form::xml;
  bool any = false;
  const int code = read([&](const AccountingRecord& record) {
    if (as_xml && !any) context.out << xml_head;
    as_xml ? print_record_xml(context.out, record) : print_record(context.out, record);
    any = true;
  });
  if (as_xml && !any && !wanted_job && code == 0) context.out << xml_head;
  if (as_xml && (any || (!wanted_job && code == 0))) context.out << xml_end;
  if (code != 0 || any || !wanted_job) return code;
  return not_found(context, *wanted_job);
}

void print(std::ostream& out, const AccountingSums& sums, Form form) {
  if (form == Form::text) return sums.print(out);
  if (form == Form::json) return sums.print_json(out);
  out << xml_head;
  sums.print_xml(out);
  out << xml_end;
}

int print_sums(Context& context, std::vector<SumBy> columns, Form form, const Asked& read) {
  AccountingSums sums(std::move(columns));
  const int code = read([&](const AccountingRecord& record) { sums.add(record); });
  if (code == 0) print(context.out, sums, form);
  return code;
}

// In slot-seconds.
std::vector<std::string> figures_of(const ReservationUsage& usage) {
  return {std::to_string(usage.reserved()), std::to_string(usage.used), std::to_string(usage.idle),
          std::to_string(usage.unavailable)};
}

// With what became of the slots of each reservation, whether jobs were in it or not. A number that
// was given again stands for all that had it, as in accounting.
int print_reservations(Context& context, ReservationNumber wanted, Form form, const Asked& read) {
  AccountingSums sums({SumBy::reservation});
  const int code = read([&](const AccountingRecord& record) { sums.add(record); });
  if (code != 0) return code;
  door::GetUsage query;
  if (wanted) query.reservations = {wanted.value};
  std::map<ReservationNumber, ReservationUsage> usages;
  const int asked = ask_usage(context, query, [&](const door::UsageReport& report) {
    sums.name_figures({"RESERVED", "USED", "IDLE", "UNAVAILABLE"});
    for (const auto& row : report.reservations) {
      auto& sum = usages[row.number];
      sum.used += row.usage.used, sum.idle += row.usage.idle;
      sum.unavailable += row.usage.unavailable;
    }
  });
  for (const auto& [number, usage] : usages) sums.add_figures(to_string(number), figures_of(usage));
  print(context.out, sums, form);
  return asked;
}

} // namespace

int qacct(Context& context) {
  static const std::vector<OptionRule> rules{
      {"-ar", -1}, {"-f", 1},    {"-help", 0}, {"-j", -1}, {"-o", -1},     {"-A", 1},
      {"-b", 1},   {"-d", 1},    {"-D", -1},   {"-e", 1},  {"-g", -1},     {"-h", -1},
      {"-l", 1},   {"-pe", -1},  {"-P", -1},   {"-q", -1}, {"-slots", -1}, {"-t", 1},
      {"-xml", 0}, {"-json", 0}, {"-u", -1},   {"-m", 0},  {"-E", 0}};
  int code = 0;
  const auto given = read_options(context, rules, usage, code);
  if (!given) return code;
  const auto filter = wanted(context, *given);
  if (!filter) return complain(context, filter.what());
  const Asked read = [&](const Use& use) {
    const auto* path = given->last("-f");
    return path ? read_file(context, *given, *filter, use) : ask_master(context, *filter, use);
  };
  if (given->has("-j")) return print_jobs(context, given->last("-j"), form_of(*given), read);
  const auto columns = columns_of(*given);
  const bool is_filtered = filter->begun_from.seconds > 0 || filter->begun_to.seconds > 0 ||
                           !filter->account.empty() || given->has("-l");
  if (columns == std::vector{SumBy::reservation} && !is_filtered && !given->has("-f"))
    return print_reservations(context, filter->reservation, form_of(*given), read);
  return print_sums(context, columns, form_of(*given), read);
}

} // namespace almanac
