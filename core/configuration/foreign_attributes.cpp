#include "core/configuration/foreign_attributes.hpp"

#include "core/configuration/objects/idle_params.hpp"
#include "core/configuration/objects/kind.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace almanac {

namespace {

// What a value that is taken has to look like; the error says what is expected.
using Look = bool (*)(const std::string& text);

bool is_none(const std::string& text) { return equal_ignoring_case(text, "NONE"); }
bool any(const std::string&) { return true; }
bool path(const std::string& text) { return text.starts_with('/') || is_none(text); }
bool program(const std::string& text) { return path(text) || text == "builtin"; }
bool number(const std::string& text) { return parse_number(text).ok(); }
bool time(const std::string& text) { return is_none(text) || parse_duration(text).ok(); }
// "1000-1100,2000"
bool ranges(const std::string& text) {
  const auto all = words(text, ",");
  return is_none(text) ||
         (!all.empty() && std::all_of(all.begin(), all.end(), [](const std::string& range) {
           const auto dash = range.find('-');
           const auto low = parse_number(range.substr(0, dash));
           const auto high = dash == std::string::npos ? low : parse_number(range.substr(dash + 1));
           return low && high && *low <= *high;
         }));
}

std::string_view expected(Look look) {
  if (look == path) return "an absolute path or NONE";
  if (look == program) return "builtin, an absolute path with arguments, or NONE";
  if (look == number) return "a number";
  if (look == time) return "a time or NONE";
  return "ranges of numbers, as in 20000-20100, or NONE";
}

struct Foreign {
  std::string_view why;               ///< it has no effect
  std::vector<std::string_view> idle; ///< the values that are taken, the usual first; empty: any
  Look look = any;                    ///< of any
  std::string_view built{};           ///< the value that has an effect; "": none has
};
using ForeignOfKind = std::map<std::string, Foreign, std::less<>>;

constexpr std::string_view reported = "hosts report it themselves";
constexpr std::string_view own_connections = "interactive jobs use the agents' own connections";
constexpr std::string_view no_java = "no Java runs in the master";

const ForeignOfKind of_hosts{{"load_values", {reported, {}, any}},
                             {"processors", {reported, {}, number}}};

const ForeignOfKind of_environments{
    {"qsort_args", {"the order of hosts is that of the scheduler", {"NONE"}, any}},
    {"ign_sreq_on_mhost", {"it is off", {"FALSE"}, any}},
    {"master_forks_slaves",
     {"limits count for all slots of a job on a host in any case", {"FALSE", "TRUE"}, any}},
    {"daemon_forks_slaves", {"it is off", {"FALSE", "TRUE"}, any, "TRUE"}}};

const ForeignOfKind of_cell{
    {"execd_spool_dir", {"an agent has a folder of its own", {}, path}},
    {"xterm", {"nothing here starts an X terminal", {}, path}},
    {"shepherd_cmd", {"an agent starts its own shepherd", {}, path}},
    {"gid_range", {"processes of a job are found without group ids", {}, ranges}},
    {"set_token_cmd", {"AFS is not supported", {"none"}, any}},
    {"pag_cmd", {"AFS is not supported", {"none"}, any}},
    {"token_extend_time", {"AFS is not supported", {}, time}},
    {"finished_jobs", {"qacct shows jobs that are over", {}, number}},
    {"finished_jobs_max", {"qacct shows jobs that are over", {}, number}},
    {"port_range", {own_connections, {}, ranges}},
    {"qlogin_command", {own_connections, {}, program}},
    {"qlogin_daemon", {own_connections, {}, program}},
    {"rlogin_command", {own_connections, {}, program}},
    {"rlogin_daemon", {own_connections, {}, program}},
    {"rsh_command", {own_connections, {}, program}},
    {"rsh_daemon", {own_connections, {}, program}},
    {"auto_user_delete_time", {"no user objects are made by themselves", {}, number}},
    {"delegated_file_staging", {"it is off", {"false", "0"}, any}},
    {"reprioritize", {"it is off", {"0", "false"}, any}},
    {"libjvm_path", {no_java, {}, path}},
    {"additional_jvm_args", {no_java, {}, any}}};

const ForeignOfKind& foreign_of(ObjectKind kind) {
  static const ForeignOfKind nothing;
  switch (kind) {
  case ObjectKind::exec_host: return of_hosts;
  case ObjectKind::parallel_environment: return of_environments;
  case ObjectKind::global_configuration:
  case ObjectKind::local_configuration: return of_cell;
  default: return nothing;
  }
}

// Rows of ours that nothing looks at: they are there because Grid Engine always shows them.
using Idle = std::map<std::string, std::string_view, std::less<>>;

const Idle of_scheduler{
    {"reprioritize_interval", "priorities are worked out whenever something changes"},
    {"halftime", "there is no share tree"},
    {"usage_weight_list", "there is no share tree"},
    {"compensation_factor", "there is no share tree"},
    {"halflife_decay_list", "there is no share tree"},
    {"policy_hierarchy", "there is no share tree"},
    {"max_functional_jobs_to_schedule", "all jobs are looked at"},
    {"report_pjob_tickets", "tickets of waiting jobs are always shown"},
    {"max_pending_tasks_per_job", "all tasks are looked at"}};

const Idle of_queues{{"processors", "jobs are bound by qsub -binding"}};

const Idle of_local{{"mailer", "the master sends all mail"}};

const Idle of_users{{"delete_time", "users are deleted by qconf -duser only"}};

const Idle& idle_of(ObjectKind kind) {
  static const Idle nothing;
  switch (kind) {
  case ObjectKind::scheduler_configuration: return of_scheduler;
  case ObjectKind::cluster_queue: return of_queues;
  case ObjectKind::user: return of_users;
  case ObjectKind::local_configuration: return of_local;
  default: return nothing;
  }
}

bool is_default(ObjectKind kind, const Attribute& attribute) {
  const auto& defaults = kind_of(kind).defaults;
  return std::any_of(defaults.begin(), defaults.end(), [&](const Attribute& row) {
    return row.name == attribute.name && equal_ignoring_case(row.value, attribute.value);
  });
}

} // namespace

bool is_foreign(ObjectKind kind, const std::string& attribute) {
  return foreign_of(kind).contains(attribute);
}

Outcome check_foreign(ObjectKind kind, const Attribute& attribute) {
  const auto& known = foreign_of(kind);
  const auto entry = known.find(attribute.name);
  if (entry == known.end()) return Error{"unknown attribute name \"" + attribute.name + "\""};
  const auto& [why, idle, look, built] = entry->second;
  if (!(*look)(attribute.value))
    return in_attribute(attribute.name,
                        "\"" + attribute.value + "\" is not " + std::string(expected(look)));
  const bool off =
      idle.empty() || std::any_of(idle.begin(), idle.end(), [&](std::string_view value) {
        return equal_ignoring_case(value, attribute.value);
      });
  if (off) return Done{};
  if (!built.empty())
    return in_attribute(attribute.name, "\"" + attribute.value + "\" is not " +
                                            std::string(idle.front()) + " or " +
                                            std::string(built));
  return in_attribute(attribute.name, "\"" + attribute.value + "\" is not built yet, only " +
                                          std::string(idle.front()));
}

std::optional<std::string> why_unused(ObjectKind kind, const Attribute& attribute) {
  const auto& foreign = foreign_of(kind);
  if (const auto entry = foreign.find(attribute.name); entry != foreign.end()) {
    const auto& known = entry->second;
    if (!known.built.empty() && equal_ignoring_case(known.built, attribute.value))
      return std::nullopt;
    return std::string(known.why);
  }
  const auto& idle = idle_of(kind);
  if (const auto entry = idle.find(attribute.name); entry != idle.end())
    return is_default(kind, attribute) ? std::nullopt : std::optional(std::string(entry->second));
  return why_params_unused(attribute);
}

} // namespace almanac
