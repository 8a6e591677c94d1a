#include "core/configuration/objects.hpp"

#include "core/configuration/cluster_queue.hpp"
#include "core/configuration/step_line.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac {

namespace {

// Reads the attributes of one object; keeps the first complaint, with the attribute's name.
class Reader {
public:
  explicit Reader(const ConfigurationObject& object) : object_(object) {}

  std::string text(const char* name) {
    if (const auto* value = object_.find(name)) return *value;
    // Stored before there was this attribute.
    const auto pattern = template_of(object_.kind, "");
    const auto* value = pattern.find(name);
    return value ? *value : std::string();
  }
  std::vector<std::string> names(const char* name) { return parse_name_list(text(name)); }

  void number(const char* name, std::int64_t& into, bool may_be_infinite = false) {
    const auto value = text(name);
    if (may_be_infinite && equal_ignoring_case(value, "INFINITY")) return;
    auto parsed = parse_number(value);
    if (!parsed || *parsed > GlobalConfiguration::most)
      complain(name, "\"" + value + "\" is not a number from 0 to 9999999");
    else into = *parsed;
  }
  void duration(const char* name, Duration& into) {
    auto parsed = parse_duration(text(name));
    if (!parsed) complain(name, parsed.what());
    else into = *parsed;
  }
  void weight(const char* name, std::int64_t& into) {
    auto parsed = parse_millionths(text(name));
    if (!parsed || *parsed < 0) complain(name, "\"" + text(name) + "\" is not a weight");
    else into = *parsed;
  }
  void toggle(const char* name, bool& into) {
    auto parsed = parse_switch(text(name));
    if (!parsed) complain(name, parsed.what());
    else into = *parsed;
  }
  void values(const char* name, std::map<std::string, std::string>& into) {
    auto parsed = parse_value_list(text(name));
    if (!parsed) complain(name, parsed.what());
    else into = *parsed;
  }
  void step(const char* name, std::string& into) {
    auto parsed = parse_step_command(text(name));
    if (!parsed) complain(name, parsed.what());
    else into = parsed->words.empty() ? "" : text(name);
  }
  void only(const char* name, std::string_view allowed) {
    if (!equal_ignoring_case(text(name), allowed))
      complain(name, "\"" + text(name) + "\" is not built yet, only " + std::string(allowed));
  }
  void complain(const char* name, const std::string& why) {
    if (error_.what.empty()) error_ = {std::string("attribute \"") + name + "\": " + why};
  }
  template <class T> Result<T> finish(T value) const {
    if (!error_.what.empty()) return error_;
    return value;
  }

private:
  const ConfigurationObject& object_;
  Error error_;
};

// "NAME=value" of a list of parameters; one without '=' is a switch that is on.
struct Param {
  explicit Param(const std::string& text)
      : name(text.substr(0, text.find('='))),
        has_value(name.size() < text.size()),
        value(has_value ? text.substr(name.size() + 1) : "") {}
  std::string name;
  bool has_value;
  std::string value;
};

void read_log_level(Reader& read, GlobalConfiguration& conf) {
  const auto level = read.text("loglevel");
  if (level == "log_err") conf.log_level = LogLevel::errors;
  else if (level == "log_warning") conf.log_level = LogLevel::warnings;
  else if (level == "log_info") conf.log_level = LogLevel::everything;
  else read.complain("loglevel", "\"" + level + "\" is not log_err, log_warning or log_info");
}

void read_mailer(Reader& read, GlobalConfiguration& conf) {
  const auto path = read.text("mailer");
  if (equal_ignoring_case(path, "NONE")) return;
  if (!path.starts_with('/') || path.find_first_of(" \t") != std::string::npos)
    read.complain("mailer", "\"" + path + "\" is not NONE or the path of a program");
  conf.mailer = path;
}

// Switches that are not built, where they say what is done anyway.
bool is_idle_switch(const std::string& name, const std::string& value) {
  static const std::map<std::string, std::set<bool>> idle{{"KEEP_ACTIVE", {false}},
                                                          {"INHERIT_ENV", {false, true}},
                                                          {"ACCT_RESERVED_USAGE", {false}},
                                                          {"ENABLE_RESCHEDULE_KILL", {false}},
                                                          {"ENABLE_RESCHEDULE_SLAVE", {false}},
                                                          {"ENABLE_ENFORCE_MASTER_LIMIT", {false}}};
  const auto known = idle.find(name);
  const auto on = parse_switch(value);
  return known != idle.end() && on && known->second.contains(*on);
}

void read_execd_params(Reader& read, GlobalConfiguration& conf) {
  const std::set<std::string> signals{"HUP",  "INT",  "QUIT", "ABRT", "USR1", "USR2",
                                      "PIPE", "ALRM", "TERM", "CONT", "TSTP", "URG"};
  for (const auto& param : parse_name_list(read.text("execd_params"))) {
    auto [name, has_value, value] = Param(param);
    if (is_idle_switch(name, value)) continue;
    if (name != "NOTIFY_KILL" && name != "NOTIFY_SUSP") {
      read.complain("execd_params", "\"" + name + "\" is not built yet");
      continue;
    }
    if (value.starts_with("SIG")) value.erase(0, 3);
    if (equal_ignoring_case(value, "none")) value.clear();
    else if (!signals.contains(value))
      read.complain("execd_params", "\"" + param + "\" names no signal and is not none");
    (name == "NOTIFY_KILL" ? conf.notify.kill : conf.notify.suspend) = value;
  }
}

void read_urgency_slots(Reader& read, ParallelEnvironment& pe) {
  const auto text = read.text("urgency_slots");
  if (text == "min") pe.urgency_slots = UrgencySlots::least;
  else if (text == "max") pe.urgency_slots = UrgencySlots::most;
  else if (text == "avg") pe.urgency_slots = UrgencySlots::average;
  else {
    pe.urgency_slots = UrgencySlots::fixed;
    auto number = parse_number(text);
    if (!number || *number < 1 || *number > GlobalConfiguration::most)
      read.complain("urgency_slots", "\"" + text + "\" is not min, max, avg or a number from 1");
    else pe.fixed_urgency_slots = *number;
  }
}

void read_param(Reader& read, const std::string& param, SchedulerConfiguration& conf) {
  const auto [name, has_value, value] = Param(param);
  if (name == "DURATION_OFFSET") {
    auto offset = parse_duration(value);
    if (!offset || offset->is_endless()) read.complain("params", "\"" + param + "\" is not a time");
    else conf.duration_offset = *offset;
  } else if (name == "MONITOR") {
    const auto on = has_value ? parse_switch(value) : Result<bool>(true);
    if (!on) read.complain("params", "\"" + param + "\" is not 0 or 1");
    else conf.monitor = *on;
  } else if (name == "PROFILE") {
    const auto on = has_value ? parse_switch(value) : Result<bool>(true);
    if (!on || *on) read.complain("params", "\"" + param + "\" is not built yet, only PROFILE=0");
  } else if (name == "BACKFILL") {
    if (value == "none") conf.backfill = Backfill::none;
    else if (value == "priority") conf.backfill = Backfill::priority;
    else if (value == "shortest") conf.backfill = Backfill::shortest;
    else read.complain("params", "\"" + param + "\" is not none, priority or shortest");
  } else if (name == "HOLDS") {
    if (value != "kept" && value != "fresh")
      read.complain("params", "\"" + param + "\" is not kept or fresh");
    conf.keeps_holds = value == "kept";
  } else if (name == "EXPIRED_AR") {
    constexpr std::int64_t most = 100'000;
    const auto number = parse_number(value);
    if (!number || *number > most)
      read.complain("params",
                    "\"" + param + "\" is not a number from 0 to " + std::to_string(most));
    else conf.most_expired = *number;
  } else read.complain("params", "\"" + param + "\" is not built yet");
}

void read_load(Reader& read, SchedulerConfiguration& conf) {
  auto formula = parse_load_formula(read.text("load_formula"));
  if (!formula) read.complain("load_formula", formula.what());
  else conf.load_formula = std::move(*formula);
  read.duration("load_adjustment_decay_time", conf.load_decay);
  if (conf.load_decay.is_endless()) read.complain("load_adjustment_decay_time", "it needs an end");
  std::map<std::string, std::string> adjustments;
  read.values("job_load_adjustments", adjustments);
  for (const auto& [name, text] : adjustments) {
    auto value = parse_millionths(text);
    if (!value) read.complain("job_load_adjustments", "\"" + text + "\" is not a number");
    else conf.load_adjustments[name] = *value;
  }
}

// There is no share tree: what belongs to it is kept and shown.
void read_tickets(Reader& read, SchedulerConfiguration& conf) {
  read.weight("weight_user", conf.weight_user);
  read.weight("weight_project", conf.weight_project);
  read.weight("weight_department", conf.weight_department);
  read.weight("weight_job", conf.weight_job);
  read.number("weight_tickets_functional", conf.functional_tickets);
  read.only("weight_tickets_share", "0");
  read.toggle("share_override_tickets", conf.shares_override_tickets);
  read.toggle("share_functional_shares", conf.shares_functional_shares);
}

// Whether the parameter is an amount; it is read then.
bool read_amount(Reader& read, const std::string& text, GlobalConfiguration& conf) {
  const auto [name, has_value, value] = Param(text);
  struct Amount {
    std::int64_t* into;
    std::int64_t unit;
    const char* of;
  };
  constexpr std::int64_t day = 24 * 3600;
  const std::map<std::string, Amount> amounts{
      {"MAX_USER_MB", {&conf.max_user_mb, 1, "MB"}},
      {"ACCOUNTING_DAYS", {&conf.kept.accounting.age.seconds, day, "days"}},
      {"ACCOUNTING_MB", {&conf.kept.accounting.megabytes, 1, "MB"}},
      {"INPUTS_DAYS", {&conf.kept.inputs.age.seconds, day, "days"}},
      {"INPUTS_MB", {&conf.kept.inputs.megabytes, 1, "MB"}}};
  const auto amount = amounts.find(name);
  if (amount == amounts.end()) return false;
  const auto number = parse_number(value);
  if (number && *number <= GlobalConfiguration::most)
    *amount->second.into = *number * amount->second.unit;
  else
    read.complain("qmaster_params",
                  "\"" + text + "\" is not a number of " + std::string(amount->second.of));
  return true;
}

void read_qmaster_params(Reader& read, GlobalConfiguration& conf) {
  for (const auto& text : parse_name_list(read.text("qmaster_params"))) {
    const auto [name, has_value, value] = Param(text);
    if (is_idle_switch(name, value) || read_amount(read, text, conf)) continue;
    const std::map<std::string, bool*> switches{
        {"ENABLE_FORCED_QDEL", &conf.forced_qdel_for_owners},
        {"REPAIR_AR", &conf.repairs_reservations},
        {"FORBID_RESCHEDULE", &conf.forbid_reschedule},
        {"FORBID_APPERROR", &conf.forbid_application_error}};
    const auto known = switches.find(name);
    const auto on = has_value ? parse_switch(value) : Result<bool>(true);
    if (known == switches.end())
      read.complain("qmaster_params", "\"" + name + "\" is not built yet");
    else if (!on) read.complain("qmaster_params", "\"" + text + "\": " + on.what());
    else *known->second = *on;
  }
}

// Files are written at once, so any flush_time is kept.
void read_reporting_params(Reader& read, GlobalConfiguration& conf) {
  for (const auto& param : parse_name_list(read.text("reporting_params"))) {
    const auto [name, has_value, value] = Param(param);
    if (name == "flush_time" || name == "sharelog") {
      auto time = parse_duration(value);
      if (!time) read.complain("reporting_params", time.what());
      else if (name == "sharelog" && time->seconds > 0)
        read.complain("reporting_params", "a sharelog is not built yet");
      continue;
    }
    auto on = parse_switch(value);
    if (!on) read.complain("reporting_params", "\"" + param + "\": " + on.what());
    else if (name == "accounting") conf.writes_accounting = *on;
    else if (name != "reporting" && name != "joblog")
      read.complain("reporting_params", "\"" + name + "\" is not known");
    else if (*on) read.complain("reporting_params", "\"" + param + "\" is not built yet");
  }
}

} // namespace

Result<ParallelEnvironment> ParallelEnvironment::parse(const ConfigurationObject& object) {
  ParallelEnvironment pe;
  pe.name = object.name;
  if (auto valid = valid_object_name(pe.name); !valid) return valid.error();
  Reader read(object);
  read.number("slots", pe.slots);
  read.toggle("control_slaves", pe.control_slaves);
  pe.user_lists = read.names("user_lists"), pe.xuser_lists = read.names("xuser_lists");
  read_urgency_slots(read, pe);
  read.step("start_proc_args", pe.start), read.step("stop_proc_args", pe.stop);
  read.toggle("job_is_first_task", pe.job_is_first_task);
  // A job has one record in accounting, either way.
  bool either = false;
  read.toggle("accounting_summary", either);
  if (auto set = pe.set_rule(read.text("allocation_rule")); !set)
    read.complain("allocation_rule", set.what());
  return read.finish(pe);
}

Outcome ParallelEnvironment::set_rule(const std::string& text) {
  rule = AllocationRule::fixed;
  if (text == "$pe_slots") rule = AllocationRule::pe_slots;
  else if (text == "$fill_up") rule = AllocationRule::fill_up;
  else if (text == "$round_robin") rule = AllocationRule::round_robin;
  else if (auto number = parse_number(text);
           number && *number >= 1 && *number <= GlobalConfiguration::most)
    per_host = *number;
  else return Error{"\"" + text + "\" is not $pe_slots, $fill_up, $round_robin or a number from 1"};
  return Done{};
}

Result<ExecHost> ExecHost::parse(const ConfigurationObject& object) {
  ExecHost host;
  host.name = object.name;
  if (!valid_host_name(host.name)) return Error{"\"" + host.name + "\" is not a host name"};
  if (equal_ignoring_case(host.name, "localhost"))
    return Error{"localhost is no name for an exec host: it means another machine on each"};
  Reader read(object);
  read.values("complex_values", host.complex_values);
  host.user_lists = read.names("user_lists"), host.xuser_lists = read.names("xuser_lists");
  host.projects = read.names("projects"), host.xprojects = read.names("xprojects");
  auto squash = Squash::parse(read.text("squash"));
  if (!squash) read.complain("squash", squash.what());
  else host.squash = *squash;
  return read.finish(host);
}

Result<std::set<std::string>> parse_host_set(const ConfigurationObject& object) {
  std::set<std::string> hosts;
  Reader read(object);
  for (const auto& entry : read.names("entries")) {
    if (!valid_host_name(entry)) read.complain("entries", "\"" + entry + "\" is not a host name");
    hosts.insert(lower(entry));
  }
  return read.finish(std::move(hosts));
}

Result<Userset> Userset::parse(const ConfigurationObject& object) {
  Userset set;
  set.name = object.name;
  if (object.kind == ObjectKind::userset)
    if (auto valid = valid_object_name(set.name); !valid) return valid.error();
  Reader read(object);
  if (object.kind == ObjectKind::userset) {
    bool is_list = false;
    for (const auto& word : read.names("type")) {
      (word == "DEPT" ? set.is_department : is_list) = true;
      if (word != "ACL" && word != "DEPT")
        read.complain("type", "\"" + word + "\" is not ACL or DEPT");
    }
    if (!is_list && !set.is_department) read.complain("type", "ACL or DEPT is expected");
    read.number("fshare", set.functional_share);
    read.number("oticket", set.override_tickets);
  }
  set.entries = read.names("entries");
  for (const auto& entry : set.entries) {
    const auto name = entry.starts_with('@') ? entry.substr(1) : entry;
    if (name.empty() || name.find_first_of(":/'\"\\[]{}|()%`*?&!@") != std::string::npos)
      read.complain("entries", "\"" + entry + "\" is not a user or @group");
  }
  return read.finish(set);
}

bool Userset::contains(const std::string& user, const std::string& group) const {
  return std::any_of(entries.begin(), entries.end(), [&](const std::string& entry) {
    return entry.starts_with('@') ? !group.empty() && entry.substr(1) == group : entry == user;
  });
}

Result<Project> Project::parse(const ConfigurationObject& object) {
  Project project;
  project.name = object.name;
  if (auto valid = valid_object_name(project.name); !valid) return valid.error();
  Reader read(object);
  read.number("fshare", project.functional_share);
  read.number("oticket", project.override_tickets);
  project.users = read.names("acl"), project.excluded_users = read.names("xacl");
  return read.finish(project);
}

Result<User> User::parse(const ConfigurationObject& object) {
  User user;
  user.name = object.name;
  if (auto valid = valid_object_name(user.name); !valid) return valid.error();
  Reader read(object);
  read.number("fshare", user.functional_share);
  read.number("oticket", user.override_tickets);
  read.only("delete_time", "0");
  const auto project = read.text("default_project");
  if (!equal_ignoring_case(project, "NONE")) user.default_project = project;
  return read.finish(user);
}

Result<GlobalConfiguration> GlobalConfiguration::parse(const ConfigurationObject& object) {
  GlobalConfiguration conf;
  Reader read(object);
  conf.user_lists = read.names("user_lists"), conf.xuser_lists = read.names("xuser_lists");
  conf.projects = read.names("projects"), conf.xprojects = read.names("xprojects");
  read.toggle("enforce_project", conf.enforces_project);
  // "auto" makes an object for whoever has none, which gives nothing that he had not without it.
  if (!equal_ignoring_case(read.text("enforce_user"), "auto"))
    read.toggle("enforce_user", conf.enforces_user);
  read.step("prolog", conf.prolog), read.step("epilog", conf.epilog);
  read_mailer(read, conf);
  read.number("min_uid", conf.min_uid);
  read.duration("load_report_time", conf.load_report_time);
  if (conf.load_report_time.seconds < 1)
    read.complain("load_report_time", "it must be at least one second");
  read.duration("max_unheard", conf.max_unheard);
  if (conf.max_unheard.seconds < 1) read.complain("max_unheard", "it must be at least one second");
  read.duration("reschedule_unknown", conf.reschedule_unknown);
  if (const auto after = conf.reschedule_unknown; after.seconds != 0)
    if (after.is_endless() || after < std::max(least_reschedule_unknown, conf.max_unheard))
      read.complain("reschedule_unknown", "it must be 0, or at least max_unheard and " +
                                              std::to_string(least_reschedule_unknown.seconds) +
                                              " s");
  read.number("max_aj_instances", conf.max_aj_instances);
  read.number("max_aj_tasks", conf.max_aj_tasks);
  read.number("max_u_jobs", conf.max_u_jobs);
  read.number("max_jobs", conf.max_jobs);
  read.number("max_advance_reservations", conf.max_advance_reservations, true);
  read_log_level(read, conf);
  conf.shell_start_mode = read.text("shell_start_mode");
  if (!is_shell_start_mode(conf.shell_start_mode))
    read.complain("shell_start_mode",
                  "\"" + conf.shell_start_mode +
                      "\" is not unix_behavior, posix_compliant or script_from_stdin");
  read_execd_params(read, conf);
  read_reporting_params(read, conf);
  read_qmaster_params(read, conf);
  return read.finish(conf);
}

Result<SchedulerConfiguration> SchedulerConfiguration::parse(const ConfigurationObject& object) {
  SchedulerConfiguration conf;
  Reader read(object);
  read.only("algorithm", "default");
  const auto method = read.text("queue_sort_method");
  if (method != "load" && method != "seqno")
    read.complain("queue_sort_method", "\"" + method + "\" is not load or seqno");
  conf.load_before_seq_no = method == "load";
  read_load(read, conf);
  read_tickets(read, conf);
  read.number("max_reservation", conf.most_holds);
  read.duration("default_duration", conf.default_duration);
  if (conf.most_holds > 0 && conf.default_duration.seconds == 0)
    read.complain("default_duration",
                  "denied: resource reservation requires valid default duration");
  read.number("maxujobs", conf.most_user_jobs);
  read.number("flush_submit_sec", conf.flush_submit.seconds);
  read.number("flush_finish_sec", conf.flush_finish.seconds);
  read.duration("schedule_interval", conf.schedule_interval);
  if (conf.schedule_interval.seconds < 1)
    read.complain("schedule_interval", "it must be at least one second");
  if (const auto wanted = read.text("schedd_job_info"); wanted.starts_with("job_list"))
    read.complain("schedd_job_info", "\"" + wanted + "\" is not built yet, only true or false");
  else read.toggle("schedd_job_info", conf.job_info);
  read.weight("weight_priority", conf.weight_priority);
  read.weight("weight_urgency", conf.weight_urgency);
  read.weight("weight_ticket", conf.weight_ticket);
  read.weight("weight_waiting_time", conf.weight_waiting_time);
  read.weight("weight_deadline", conf.weight_deadline);
  for (const auto& param : parse_name_list(read.text("params"))) read_param(read, param, conf);
  return read.finish(conf);
}

} // namespace almanac
