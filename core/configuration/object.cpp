#include "core/configuration/object.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <array>

namespace almanac {

namespace {

struct KindFacts {
  std::string_view name;
  std::string_view name_attribute;
  std::vector<Attribute> defaults;
};

const std::vector<Attribute> built_in_complexes{{"slots", "s INT <= YES YES 1 1000"},
                                                {"qname", "q RESTRING == YES NO NONE 0"},
                                                {"hostname", "h HOST == YES NO NONE 0"},
                                                {"rerun", "re BOOL == NO NO 0 0"},
                                                {"tmpdir", "tmp RESTRING == NO NO NONE 0"},
                                                {"seq_no", "seq INT == NO NO 0 0"},
                                                {"calendar", "c RESTRING == YES NO NONE 0"},
                                                {"min_cpu_interval", "mci TIME <= NO NO 0 0"},
                                                {"s_rt", "s_rt TIME <= YES NO 0 0"},
                                                {"h_rt", "h_rt TIME <= YES NO 0 0"},
                                                {"s_cpu", "s_cpu TIME <= YES NO 0 0"},
                                                {"h_cpu", "h_cpu TIME <= YES NO 0 0"},
                                                {"s_core", "s_core MEMORY <= YES NO 0 0"},
                                                {"h_core", "h_core MEMORY <= YES NO 0 0"},
                                                {"s_data", "s_data MEMORY <= YES NO 0 0"},
                                                {"h_data", "h_data MEMORY <= YES NO 0 0"},
                                                {"s_fsize", "s_fsize MEMORY <= YES NO 0 0"},
                                                {"h_fsize", "h_fsize MEMORY <= YES NO 0 0"},
                                                {"s_rss", "s_rss MEMORY <= YES NO 0 0"},
                                                {"h_rss", "h_rss MEMORY <= YES NO 0 0"},
                                                {"s_stack", "s_stack MEMORY <= YES NO 0 0"},
                                                {"h_stack", "h_stack MEMORY <= YES NO 0 0"},
                                                {"s_vmem", "s_vmem MEMORY <= YES NO 0 0"},
                                                {"h_vmem", "h_vmem MEMORY <= YES NO 0 0"},
                                                {"arch", "a RESTRING == YES NO NONE 0"},
                                                {"num_proc", "p INT == YES NO 0 0"},
                                                {"m_core", "core INT <= YES NO 0 0"},
                                                {"m_socket", "socket INT <= YES NO 0 0"},
                                                {"m_topology", "topo RESTRING == YES NO NONE 0"},
                                                {"cpu", "cpu DOUBLE >= YES NO 0 0"},
                                                {"load_avg", "la DOUBLE >= NO NO 0 0"},
                                                {"np_load_avg", "nla DOUBLE >= NO NO 0 0"},
                                                {"load_short", "ls DOUBLE >= NO NO 0 0"},
                                                {"np_load_short", "nls DOUBLE >= NO NO 0 0"},
                                                {"load_medium", "lm DOUBLE >= NO NO 0 0"},
                                                {"np_load_medium", "nlm DOUBLE >= NO NO 0 0"},
                                                {"load_long", "ll DOUBLE >= NO NO 0 0"},
                                                {"np_load_long", "nll DOUBLE >= NO NO 0 0"},
                                                {"mem_free", "mf MEMORY <= YES NO 0 0"},
                                                {"mem_total", "mt MEMORY <= YES NO 0 0"},
                                                {"mem_used", "mu MEMORY >= YES NO 0 0"},
                                                {"swap_free", "sf MEMORY <= YES NO 0 0"},
                                                {"swap_total", "st MEMORY <= YES NO 0 0"},
                                                {"swap_used", "su MEMORY >= YES NO 0 0"},
                                                {"swap_rate", "sr MEMORY >= YES NO 0 0"},
                                                {"swap_rsvd", "srsv MEMORY >= YES NO 0 0"},
                                                {"virtual_free", "vf MEMORY <= YES NO 0 0"},
                                                {"virtual_total", "vt MEMORY <= YES NO 0 0"},
                                                {"virtual_used", "vu MEMORY >= YES NO 0 0"}};

const std::vector<Attribute> queue_defaults{{"hostlist", "NONE"},
                                            {"seq_no", "0"},
                                            {"load_thresholds", "np_load_avg=1.75"},
                                            {"suspend_thresholds", "NONE"},
                                            {"nsuspend", "1"},
                                            {"suspend_interval", "00:05:00"},
                                            {"qtype", "BATCH INTERACTIVE"},
                                            {"pe_list", "NONE"},
                                            {"rerun", "FALSE"},
                                            {"slots", "1"},
                                            {"tmpdir", "/tmp"},
                                            {"shell", "/bin/sh"},
                                            {"shell_start_mode", "unix_behavior"},
                                            {"notify", "00:00:60"},
                                            {"prolog", "NONE"},
                                            {"epilog", "NONE"},
                                            {"user_lists", "NONE"},
                                            {"xuser_lists", "NONE"},
                                            {"complex_values", "NONE"},
                                            {"projects", "NONE"},
                                            {"xprojects", "NONE"},
                                            {"calendar", "NONE"},
                                            {"s_rt", "INFINITY"},
                                            {"h_rt", "INFINITY"},
                                            {"s_cpu", "INFINITY"},
                                            {"h_cpu", "INFINITY"},
                                            {"s_fsize", "INFINITY"},
                                            {"h_fsize", "INFINITY"},
                                            {"s_data", "INFINITY"},
                                            {"h_data", "INFINITY"},
                                            {"s_stack", "INFINITY"},
                                            {"h_stack", "INFINITY"},
                                            {"s_core", "INFINITY"},
                                            {"h_core", "INFINITY"},
                                            {"s_rss", "INFINITY"},
                                            {"h_rss", "INFINITY"},
                                            {"s_vmem", "INFINITY"},
                                            {"h_vmem", "INFINITY"}};

const std::array<KindFacts, 16>& facts() {
  static const std::array<KindFacts, 16> table{{
      {"cluster queue", "qname", queue_defaults},
      {"exechost",
       "hostname",
       {{"complex_values", "NONE"},
        {"user_lists", "NONE"},
        {"xuser_lists", "NONE"},
        {"projects", "NONE"},
        {"xprojects", "NONE"},
        {"squash", "NONE"}}},
      {"host group entry", "group_name", {{"hostlist", "NONE"}}},
      {"parallel environment",
       "pe_name",
       {{"slots", "0"},
        {"user_lists", "NONE"},
        {"xuser_lists", "NONE"},
        {"start_proc_args", "NONE"},
        {"stop_proc_args", "NONE"},
        {"allocation_rule", "$pe_slots"},
        {"control_slaves", "FALSE"},
        {"job_is_first_task", "TRUE"},
        {"urgency_slots", "min"},
        {"accounting_summary", "FALSE"}}},
      {"complex entry", "", built_in_complexes},
      {"userset",
       "name",
       {{"type", "ACL"}, {"fshare", "0"}, {"oticket", "0"}, {"entries", "NONE"}}},
      {"manager", "", {{"entries", "NONE"}}},
      {"operator", "", {{"entries", "NONE"}}},
      {"configuration",
       "",
       {{"user_lists", "NONE"},
        {"xuser_lists", "NONE"},
        {"projects", "NONE"},
        {"xprojects", "NONE"},
        {"enforce_project", "false"},
        {"enforce_user", "auto"},
        {"mailer", "/bin/mail"},
        {"prolog", "NONE"},
        {"epilog", "NONE"},
        {"shell_start_mode", "posix_compliant"},
        {"min_uid", "0"},
        {"loglevel", "log_info"},
        {"load_report_time", "0:0:40"},
        {"max_unheard", "0:0:10"},
        {"reschedule_unknown", "0:0:0"},
        {"max_aj_instances", "2000"},
        {"max_aj_tasks", "75000"},
        {"max_u_jobs", "0"},
        {"max_jobs", "0"},
        {"max_advance_reservations", "INFINITY"},
        {"qmaster_params", "none"},
        {"execd_params", "none"},
        {"reporting_params", "accounting=true reporting=false flush_time=00:00:15 joblog=false "
                             "sharelog=00:00:00"}}},
      {"scheduler configuration",
       "",
       {{"algorithm", "default"},
        {"schedule_interval", "0:0:15"},
        {"maxujobs", "0"},
        {"queue_sort_method", "load"},
        {"job_load_adjustments", "np_load_avg=0.50"},
        {"load_adjustment_decay_time", "0:7:30"},
        {"load_formula", "np_load_avg"},
        {"schedd_job_info", "true"},
        {"flush_submit_sec", "0"},
        {"flush_finish_sec", "0"},
        {"params", "none"},
        {"reprioritize_interval", "0:0:0"},
        {"halftime", "168"},
        {"usage_weight_list", "cpu=1.000000,mem=0.000000,io=0.000000"},
        {"compensation_factor", "5.000000"},
        {"halflife_decay_list", "none"},
        {"policy_hierarchy", "OFS"},
        {"weight_user", "0.250000"},
        {"weight_project", "0.250000"},
        {"weight_department", "0.250000"},
        {"weight_job", "0.250000"},
        {"weight_tickets_functional", "0"},
        {"weight_tickets_share", "0"},
        {"share_override_tickets", "TRUE"},
        {"share_functional_shares", "TRUE"},
        {"max_functional_jobs_to_schedule", "200"},
        {"report_pjob_tickets", "TRUE"},
        {"max_pending_tasks_per_job", "50"},
        {"weight_ticket", "0.010000"},
        {"weight_waiting_time", "0.000000"},
        {"weight_deadline", "3600000.000000"},
        {"weight_urgency", "0.100000"},
        {"weight_priority", "1.000000"},
        {"max_reservation", "0"},
        {"default_duration", "INFINITY"}}},
      {"orphaned queue instance", "", queue_defaults},
      {"calendar", "calendar_name", {{"year", "NONE"}, {"week", "NONE"}}},
      {"project", "name", {{"oticket", "0"}, {"fshare", "0"}, {"acl", "NONE"}, {"xacl", "NONE"}}},
      {"user",
       "name",
       {{"oticket", "0"}, {"fshare", "0"}, {"delete_time", "0"}, {"default_project", "NONE"}}},
      {"administrative host", "", {{"entries", "NONE"}}},
      {"submit host", "", {{"entries", "NONE"}}},
  }};
  return table;
}

const KindFacts& facts_of(ObjectKind kind) { return facts().at(static_cast<std::size_t>(kind)); }

// Joins continued lines, drops comments and empty lines.
std::vector<std::string> logical_lines(std::string_view text) {
  std::vector<std::string> lines;
  std::string pending;
  for (auto& line : split(text, '\n')) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (pending.empty() && trim(line).starts_with('#')) continue;
    const bool continued = !line.empty() && line.back() == '\\';
    if (continued) line.pop_back();
    const auto piece = trim(line);
    if (!pending.empty() && !piece.empty()) pending += ' ';
    pending += piece;
    if (continued) continue;
    if (!pending.empty()) lines.push_back(std::move(pending));
    pending.clear();
  }
  if (!pending.empty()) lines.push_back(std::move(pending));
  return lines;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  if (result.size() < width) result.resize(width, ' ');
  else result += ' ';
  return result;
}

} // namespace

const std::string* ConfigurationObject::find(std::string_view attribute) const {
  const auto it = std::find_if(attributes.begin(), attributes.end(),
                               [&](auto& a) { return a.name == attribute; });
  return it == attributes.end() ? nullptr : &it->value;
}

void ConfigurationObject::set(std::string_view attribute, std::string value) {
  const auto it = std::find_if(attributes.begin(), attributes.end(),
                               [&](auto& a) { return a.name == attribute; });
  if (it == attributes.end()) attributes.push_back({std::string(attribute), std::move(value)});
  else it->value = std::move(value);
}

std::string_view kind_name(ObjectKind kind) { return facts_of(kind).name; }
std::string_view name_attribute(ObjectKind kind) { return facts_of(kind).name_attribute; }

bool is_host_set(ObjectKind kind) {
  return kind == ObjectKind::admin_hosts || kind == ObjectKind::submit_hosts;
}

bool is_single(ObjectKind kind) {
  return kind == ObjectKind::complex || kind == ObjectKind::managers ||
         kind == ObjectKind::operators || kind == ObjectKind::global_configuration ||
         kind == ObjectKind::scheduler_configuration || is_host_set(kind);
}

ConfigurationObject template_of(ObjectKind kind, std::string name) {
  return {kind, std::move(name), facts_of(kind).defaults};
}

Result<std::vector<Attribute>> parse_attribute_file(std::string_view text) {
  std::vector<Attribute> attributes;
  for (const auto& line : logical_lines(text)) {
    const auto blank = line.find_first_of(" \t");
    const auto name = line.substr(0, blank);
    if (blank == std::string::npos) return Error{"attribute \"" + name + "\" has no value"};
    for (const auto& earlier : attributes)
      if (earlier.name == name) return Error{"attribute \"" + name + "\" appears more than once"};
    attributes.push_back({name, std::string(trim(std::string_view(line).substr(blank)))});
  }
  if (attributes.empty()) return Error{"the file holds no attributes"};
  return attributes;
}

std::string print_object(const ConfigurationObject& object) {
  std::string text;
  if (object.kind == ObjectKind::complex) return print_complex_table(object);
  if (!name_attribute(object.kind).empty())
    text += padded(name_attribute(object.kind), 22) + object.name + "\n";
  for (const auto& attribute : object.attributes)
    text += padded(attribute.name, 22) + attribute.value + "\n";
  return text;
}

Result<std::vector<Attribute>> parse_complex_table(std::string_view text) {
  std::vector<Attribute> rows;
  for (const auto& line : logical_lines(text)) {
    auto columns = words(line, " \t");
    if (columns.size() != 8)
      return Error{"complex line \"" + line +
                   "\" must have the 8 columns name shortcut type relop requestable consumable "
                   "default urgency"};
    const auto name = columns.front();
    for (const auto& earlier : rows)
      if (earlier.name == name)
        return Error{"complex attribute \"" + name + "\" appears more than once"};
    columns.erase(columns.begin());
    rows.push_back({name, join(columns, " ")});
  }
  return rows;
}

std::string print_complex_table(const ConfigurationObject& table) {
  auto rows = table.attributes;
  std::sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.name < b.name; });
  const std::array<std::size_t, 8> widths{20, 12, 10, 6, 12, 11, 9, 0};
  const auto print = [&](const std::vector<std::string>& columns) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) line += padded(columns[i], widths.at(i));
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  std::string text = print(
      {"#name", "shortcut", "type", "relop", "requestable", "consumable", "default", "urgency"});
  text += "#" + std::string(86, '-') + "\n";
  for (const auto& row : rows) {
    auto columns = words(row.value, " ");
    columns.insert(columns.begin(), row.name);
    text += print(columns);
  }
  return text;
}

} // namespace almanac
