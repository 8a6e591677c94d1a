#include "tools/commands/accounting_table.hpp"

#include "core/text/table.hpp"
#include "core/text/xml.hpp"
#include "tools/output/json.hpp"
#include "tools/output/local_time.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ostream>

namespace almanac {

namespace {

constexpr double kib_in_gib = 1 << 20, bytes_in_gib = 1 << 30;

std::string date(Instant instant) {
  return instant.seconds == 0 ? "-/-" : print_local(instant, "%a %b %e %H:%M:%S %Y");
}

double seconds(std::int64_t microseconds) { return static_cast<double>(microseconds) / 1e6; }

double memory_of(const ExitRecord& x) {
  return static_cast<double>(x.memory_kib_seconds) / kib_in_gib;
}
double io_of(const ExitRecord& x) { return static_cast<double>(x.io_bytes) / bytes_in_gib; }

// "4.531K": what clients read as maxvmem (spec/client-contract.md C11).
std::string with_unit(std::int64_t bytes) {
  auto value = static_cast<double>(bytes);
  constexpr std::string_view units = "KMGT";
  std::string unit;
  for (const char next : units) {
    if (value < 1024) break;
    value /= 1024, unit = next;
  }
  return fixed(value, 3) + unit;
}

std::string text_of_failed(const ExitRecord& x) {
  if (x.failed == failed::none) return "0";
  const std::string why = x.reason.empty() ? failed_text(x.failed) : x.reason;
  return std::to_string(x.failed) + (why.empty() ? "" : " : " + why);
}

const std::string& or_none(const std::string& text) {
  static const std::string none = "NONE";
  return text.empty() ? none : text;
}

} // namespace

std::vector<AccountingField> fields_of(const AccountingRecord& r) {
  std::vector<AccountingField> fields;
  const auto put = [&](const char* name, std::string value) {
    fields.push_back({name, std::move(value)});
  };
  const auto put_number = [&](const char* name, std::int64_t value) {
    put(name, std::to_string(value));
  };
  const auto& x = r.record;
  put("qname", r.queue);
  put("hostname", r.host);
  put("group", r.group);
  put("owner", r.owner);
  put("project", or_none(r.project));
  put("department", r.department);
  put("jobname", r.job_name);
  put("jobnumber", to_string(r.job_number));
  put("taskid", r.task > 0 ? std::to_string(r.task) : "undefined");
  put("pe_taskid", or_none(r.pe_task));
  put("account", r.account);
  put_number("priority", r.priority);
  put("qsub_time", date(r.submitted));
  put("start_time", date(r.started));
  put("end_time", date(r.ended));
  put("granted_pe", r.pe);
  put_number("slots", r.slots);
  put("failed", text_of_failed(x));
  put_number("exit_status", x.exit_status);
  put_number("ru_wallclock", x.wallclock);
  put("ru_utime", fixed(seconds(x.user_microseconds), 3));
  put("ru_stime", fixed(seconds(x.system_microseconds), 3));
  put_number("ru_maxrss", x.maxrss_kib);
  // The kernel counts none of those that are 0.
  for (const char* name : {"ru_ixrss", "ru_ismrss", "ru_idrss", "ru_isrss"}) put(name, "0");
  put_number("ru_minflt", x.minor_faults);
  put_number("ru_majflt", x.major_faults);
  put("ru_nswap", "0");
  put_number("ru_inblock", x.blocks_in);
  put_number("ru_oublock", x.blocks_out);
  for (const char* name : {"ru_msgsnd", "ru_msgrcv", "ru_nsignals"}) put(name, "0");
  put_number("ru_nvcsw", x.voluntary_switches);
  put_number("ru_nivcsw", x.involuntary_switches);
  put("cpu", fixed(seconds(cpu_of(r)), 3));
  put("mem", fixed(memory_of(x), 3));
  put("io", fixed(io_of(x), 3));
  put("iow", fixed(seconds(x.io_wait_microseconds), 3));
  put("maxvmem", with_unit(x.maxvmem_bytes));
  put("arid", r.reservation ? to_string(r.reservation) : "undefined");
  put("ar_sub_time", r.reservation ? date(r.reservation_submitted) : "undefined");
  put("category", or_none(r.category));
  if (!r.output_path.empty()) put("output_path", r.output_path);
  if (!r.error_path.empty()) put("error_path", r.error_path);
  return fields;
}

void print_record(std::ostream& out, const AccountingRecord& record) {
  out << std::string(62, '=') << "\n";
  for (const auto& [name, value] : fields_of(record)) out << line(left(name, 13) + left(value, 20));
}

void print_record_xml(std::ostream& out, const AccountingRecord& record) {
  out << " <job>\n";
  for (const auto& [name, value] : fields_of(record))
    out << "  <" << name << ">" << xml_text(value) << "</" << name << ">\n";
  out << " </job>\n";
}

// ---- sums ---------------------------------------------------------------------------------------

namespace {

constexpr std::array<std::string_view, sums_by> names{
    "HOST", "CLUSTER QUEUE", "GROUP", "OWNER", "PROJECT", "DEPARTMENT", "PE", "SLOTS", "AR"};
constexpr std::array<const char*, sums_by> elements{
    "host", "queue", "group", "owner", "project", "department", "pe", "slots", "ar"};
constexpr std::size_t least_width = 10;

std::string_view name_of(SumBy column) { return names[static_cast<std::size_t>(column)]; }

std::string text_of(SumBy column, const AccountingRecord& r) {
  switch (column) {
  case SumBy::host: return r.host;
  case SumBy::queue: return r.queue;
  case SumBy::group: return r.group;
  case SumBy::owner: return r.owner;
  case SumBy::project: return or_none(r.project);
  case SumBy::department: return r.department;
  case SumBy::pe: return or_none(r.pe);
  case SumBy::slots: return std::to_string(r.slots);
  case SumBy::reservation: return to_string(r.reservation);
  }
  return {};
}

bool is_number(SumBy column) { return column == SumBy::slots || column == SumBy::reservation; }

// Numbers are sorted as such.
std::string sortable(SumBy column, std::string text) {
  return is_number(column) && text.size() < 20 ? std::string(20 - text.size(), ' ') + text : text;
}
std::string_view shown(const std::string& text) {
  const auto at = text.find_first_not_of(' ');
  return at == std::string::npos ? std::string_view() : std::string_view(text).substr(at);
}

} // namespace

AccountingSums::AccountingSums(std::vector<SumBy> columns) : columns_(std::move(columns)) {
  if (columns_.empty()) sums_[{}];
}

void AccountingSums::add(const AccountingRecord& r) {
  SumKey key;
  for (const auto column : columns_) key.push_back(sortable(column, text_of(column, r)));
  auto& sum = sums_[key];
  const auto& x = r.record;
  sum.wallclock += static_cast<double>(x.wallclock);
  sum.user += seconds(x.user_microseconds), sum.system += seconds(x.system_microseconds);
  sum.cpu += seconds(cpu_of(r));
  sum.memory += memory_of(x), sum.io += io_of(x), sum.io_wait += seconds(x.io_wait_microseconds);
}

void AccountingSums::add_figures(const std::string& row, std::vector<std::string> figures) {
  sums_[{sortable(columns_.front(), row)}].more = std::move(figures);
}

// Values are never cut.
std::vector<std::size_t> AccountingSums::widths() const {
  std::vector<std::size_t> widths;
  for (const auto column : columns_)
    widths.push_back(std::max(least_width, name_of(column).size()));
  for (const auto& [key, sum] : sums_)
    for (std::size_t i = 0; i < key.size(); ++i)
      widths[i] = std::max(widths[i], shown(key[i]).size());
  return widths;
}

std::vector<std::string> AccountingSums::figure_names() const {
  std::vector<std::string> all{"WALLCLOCK", "UTIME", "STIME", "CPU", "MEMORY", "IO", "IOW"};
  all.insert(all.end(), more_names_.begin(), more_names_.end());
  return all;
}

namespace {
std::string small(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return static_cast<char>(c - 'A' + 'a'); });
  return name;
}
} // namespace

std::vector<std::string> AccountingSums::figures_of(const Sum& sum) const {
  std::vector<std::string> figures{
      fixed(sum.wallclock, 0), fixed(sum.user, 3), fixed(sum.system, 3), fixed(sum.cpu, 3),
      fixed(sum.memory, 3),    fixed(sum.io, 3),   fixed(sum.io_wait, 3)};
  for (std::size_t i = 0; i < more_names_.size(); ++i)
    figures.push_back(i < sum.more.size() ? sum.more[i] : "0");
  return figures;
}

void AccountingSums::print(std::ostream& out) const {
  const auto wide = widths();
  const auto row = [&](const SumKey& cells, const std::vector<std::string>& figures) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) text += left(shown(cells[i]), wide[i]) + " ";
    for (std::size_t i = 0; i < figures.size(); ++i)
      text += (i == 0 ? "" : " ") + right(figures[i], i < 4 ? 13 : 18);
    return text;
  };
  SumKey titles;
  for (const auto column : columns_) titles.emplace_back(name_of(column));
  const auto head = row(titles, figure_names());
  if (columns_.empty()) out << "Total System Usage\n";
  out << head << "\n" << std::string(head.size(), '=') << "\n";
  for (const auto& [key, sum] : sums_) out << row(key, figures_of(sum)) << "\n";
}

void AccountingSums::print_xml(std::ostream& out) const {
  auto names = figure_names();
  std::transform(names.begin(), names.end(), names.begin(), small);
  for (const auto& [key, sum] : sums_) {
    out << " <sum>\n";
    const auto put = [&](const std::string& name, std::string_view value) {
      out << "  <" << name << ">" << xml_text(std::string(value)) << "</" << name << ">\n";
    };
    for (std::size_t i = 0; i < key.size(); ++i)
      put(elements[static_cast<std::size_t>(columns_[i])], shown(key[i]));
    const auto figures = figures_of(sum);
    for (std::size_t i = 0; i < figures.size(); ++i) put(names[i], figures[i]);
    out << " </sum>\n";
  }
}

void AccountingSums::print_json(std::ostream& out) const {
  const auto names = figure_names();
  auto sums = Json::array();
  for (const auto& [key, sum] : sums_) {
    auto made = Json::object();
    for (std::size_t i = 0; i < key.size(); ++i)
      made[elements[static_cast<std::size_t>(columns_[i])]] = std::string(shown(key[i]));
    const auto figures = figures_of(sum);
    for (std::size_t i = 0; i < figures.size(); ++i)
      made[small(names[i])] = std::strtod(figures[i].c_str(), nullptr);
    sums.push_back(std::move(made));
  }
  almanac::print_json(out, {{"sums", std::move(sums)}});
}

} // namespace almanac
