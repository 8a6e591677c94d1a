#include "core/configuration/objects/printed_object.hpp"

#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/quota_file.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace almanac {

namespace {

// Of the kinds that have here what Grid Engine has not, or the other way round.
constexpr std::string_view of_hosts[]{
    "load_scaling", "complex_values", "load_values", "processors",    "user_lists",
    "xuser_lists",  "projects",       "xprojects",   "usage_scaling", "report_variables"};
constexpr std::string_view of_environments[]{"slots",
                                             "user_lists",
                                             "xuser_lists",
                                             "start_proc_args",
                                             "stop_proc_args",
                                             "allocation_rule",
                                             "control_slaves",
                                             "job_is_first_task",
                                             "urgency_slots",
                                             "accounting_summary",
                                             "qsort_args",
                                             "ign_sreq_on_mhost",
                                             "master_forks_slaves",
                                             "daemon_forks_slaves"};
constexpr std::string_view of_cell[]{"execd_spool_dir",
                                     "mailer",
                                     "xterm",
                                     "load_sensor",
                                     "prolog",
                                     "epilog",
                                     "shell_start_mode",
                                     "login_shells",
                                     "min_uid",
                                     "min_gid",
                                     "user_lists",
                                     "xuser_lists",
                                     "projects",
                                     "xprojects",
                                     "enforce_project",
                                     "enforce_user",
                                     "load_report_time",
                                     "max_unheard",
                                     "reschedule_unknown",
                                     "loglevel",
                                     "administrator_mail",
                                     "set_token_cmd",
                                     "pag_cmd",
                                     "token_extend_time",
                                     "shepherd_cmd",
                                     "qmaster_params",
                                     "execd_params",
                                     "reporting_params",
                                     "finished_jobs",
                                     "finished_jobs_max",
                                     "gid_range",
                                     "qlogin_command",
                                     "qlogin_daemon",
                                     "rlogin_command",
                                     "rlogin_daemon",
                                     "rsh_command",
                                     "rsh_daemon",
                                     "max_aj_instances",
                                     "max_aj_tasks",
                                     "max_u_jobs",
                                     "max_jobs",
                                     "max_advance_reservations",
                                     "auto_user_oticket",
                                     "auto_user_fshare",
                                     "auto_user_default_project",
                                     "auto_user_delete_time",
                                     "delegated_file_staging",
                                     "reprioritize",
                                     "jsv_url",
                                     "jsv_allowed_mod",
                                     "libjvm_path",
                                     "additional_jvm_args",
                                     "port_range"};

// Where the rows have another order.
constexpr std::string_view of_scheduler[]{"algorithm",
                                          "schedule_interval",
                                          "maxujobs",
                                          "queue_sort_method",
                                          "job_load_adjustments",
                                          "load_adjustment_decay_time",
                                          "load_formula",
                                          "schedd_job_info",
                                          "flush_submit_sec",
                                          "flush_finish_sec",
                                          "params",
                                          "reprioritize_interval",
                                          "halftime",
                                          "usage_weight_list",
                                          "compensation_factor",
                                          "weight_user",
                                          "weight_project",
                                          "weight_department",
                                          "weight_job",
                                          "weight_tickets_functional",
                                          "weight_tickets_share",
                                          "share_override_tickets",
                                          "share_functional_shares",
                                          "max_functional_jobs_to_schedule",
                                          "report_pjob_tickets",
                                          "max_pending_tasks_per_job",
                                          "halflife_decay_list",
                                          "policy_hierarchy",
                                          "weight_ticket",
                                          "weight_waiting_time",
                                          "weight_deadline",
                                          "weight_urgency",
                                          "weight_priority",
                                          "max_reservation",
                                          "default_duration"};

std::span<const std::string_view> gridengine_order(ObjectKind kind) {
  switch (kind) {
  case ObjectKind::exec_host: return of_hosts;
  case ObjectKind::parallel_environment: return of_environments;
  case ObjectKind::global_configuration: return of_cell;
  case ObjectKind::scheduler_configuration: return of_scheduler;
  default: return {}; // that of the rows
  }
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  result.resize(std::max(width, result.size() + 1), ' ');
  return result;
}

} // namespace

ConfigurationObject arranged(const ConfigurationObject& object) {
  if (object.kind == ObjectKind::complex) return object;
  const auto order = gridengine_order(object.kind);
  const auto& defaults = kind_of(object.kind).defaults;
  const auto place_of = [&](const Attribute& one) {
    const auto* listed = std::find(order.data(), order.data() + order.size(), one.name);
    if (listed != order.data() + order.size()) return listed - order.data();
    const auto own = std::find_if(defaults.begin(), defaults.end(),
                                  [&](const Attribute& row) { return row.name == one.name; });
    return static_cast<std::ptrdiff_t>(order.size()) + (own - defaults.begin());
  };
  auto all = object;
  for (const auto& [name, fallback] : defaults)
    if (!object.find(name)) all.set(name, fallback);
  std::stable_sort(all.attributes.begin(), all.attributes.end(),
                   [&](const auto& a, const auto& b) { return place_of(a) < place_of(b); });
  return all;
}

std::size_t value_column(ObjectKind kind) {
  switch (kind) {
  case ObjectKind::host_group:
  case ObjectKind::project:
  case ObjectKind::user: return 0;
  case ObjectKind::userset: return 8;
  case ObjectKind::calendar: return 17;
  case ObjectKind::parallel_environment:
  case ObjectKind::checkpoint: return 19;
  case ObjectKind::global_configuration:
  case ObjectKind::local_configuration: return 29;
  case ObjectKind::scheduler_configuration: return 34;
  default: return 22;
  }
}

std::string print_object(const ConfigurationObject& object) {
  if (object.kind == ObjectKind::complex) return print_complex_table(object);
  if (object.kind == ObjectKind::quota_set) return print_quota_set(object);
  std::string text;
  const auto column = value_column(object.kind);
  if (!name_attribute(object.kind).empty())
    text += padded(name_attribute(object.kind), column) + object.name + "\n";
  for (const auto& attribute : object.attributes)
    text += padded(attribute.name, column) + attribute.value + "\n";
  return text;
}

std::string print_complex_table(const ConfigurationObject& table) {
  auto rows = table.attributes;
  std::sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.name < b.name; });
  std::array<std::size_t, 8> widths{0, 0, 0, 0, 12, 11, 9, 8};
  constexpr std::size_t measured = 4, gap = 4; // columns as wide as their widest value
  std::vector<std::vector<std::string>> lines;
  for (const auto& row : rows) {
    auto& columns = lines.emplace_back(words(row.value, " "));
    columns.insert(columns.begin(), row.name);
    for (std::size_t i = 0; i < measured && i < columns.size(); ++i)
      widths.at(i) = std::max(widths.at(i), columns[i].size() + gap);
  }
  const auto print = [&](const std::vector<std::string>& columns) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) line += padded(columns[i], widths.at(i));
    return line;
  };
  auto text = print(
      {"#name", "shortcut", "type", "relop", "requestable", "consumable", "default", "urgency"});
  text += "\n#" + std::string(text.size() - 1, '-') + "\n";
  for (const auto& columns : lines) {
    auto line = print(columns);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text + "# >#< starts a comment but comments are not saved across edits --------\n";
}

} // namespace almanac
