#include "core/configuration/objects/global_configuration.hpp"

#include "core/configuration/objects/cluster_queue.hpp"
#include "core/configuration/objects/hook_command.hpp"
#include "core/configuration/objects/idle_params.hpp"
#include "core/configuration/objects/jsv_url.hpp"
#include "core/configuration/objects/load_sensors.hpp"
#include "core/configuration/objects/process_limit.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/configuration/objects/step_line.hpp"
#include "core/text/mail_address.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac {

namespace {

using namespace readers;
using G = GlobalConfiguration;

// With "auto" whoever has no user object is taken for one that auto_user_* describe; none is made.
Outcome read_enforce_user(G& conf, const GivenAttribute& given) {
  conf.knows_usual_user = equal_ignoring_case(given.text, "auto");
  if (conf.knows_usual_user) return Done{};
  return toggle<&G::enforces_user>(conf, given);
}

Outcome read_log_level(G& conf, const GivenAttribute& given) {
  const auto& level = given.text;
  if (level == "log_err") conf.log_level = LogLevel::errors;
  else if (level == "log_warning") conf.log_level = LogLevel::warnings;
  else if (level == "log_info") conf.log_level = LogLevel::everything;
  else return Error{"\"" + level + "\" is not log_err, log_warning or log_info"};
  return Done{};
}

Outcome read_mailer(G& conf, const GivenAttribute& given) {
  const auto& path = given.text;
  if (equal_ignoring_case(path, "NONE")) return Done{};
  if (!path.starts_with('/') || path.find_first_of(" \t") != std::string::npos)
    return Error{"\"" + path + "\" is not NONE or the path of a program"};
  conf.mailer = path;
  return Done{};
}

// Who hears of failed hooks and of what is in error.
Outcome read_administrators(G& conf, const GivenAttribute& given) {
  auto& all = conf.administrators;
  for (const auto& address : parse_name_list(given.text)) {
    if (!valid_mail_address(address)) return Error{"\"" + address + "\" is not a mail address"};
    if (std::find(all.begin(), all.end(), address) == all.end()) all.push_back(address);
  }
  return Done{};
}

Outcome read_shell_start_mode(G& conf, const GivenAttribute& given) {
  if (!is_shell_start_mode(given.text))
    return Error{"\"" + given.text +
                 "\" is not unix_behavior, posix_compliant or script_from_stdin"};
  conf.shell_start_mode = given.text;
  return Done{};
}

// Its row is behind that of max_unheard.
Outcome read_reschedule_unknown(G& conf, const GivenAttribute& given) {
  if (auto read = duration<&G::reschedule_unknown>(conf, given); !read) return read;
  const auto after = conf.reschedule_unknown;
  if (after.seconds == 0) return Done{};
  if (after.is_endless() || after < std::max(least_reschedule_unknown, conf.max_unheard))
    return Error{"it must be 0, or at least max_unheard and " +
                 std::to_string(least_reschedule_unknown.seconds) + " s"};
  return Done{};
}

Outcome read_most_reservations(G& conf, const GivenAttribute& given) {
  if (equal_ignoring_case(given.text, "INFINITY")) return Done{};
  return number<&G::max_advance_reservations>(conf, given);
}

Outcome read_jsv_url(G& conf, const GivenAttribute& given) {
  const auto url = parse_jsv_url(given.text);
  if (!url) return url.error();
  if (!url->words.empty()) conf.jsv_url = given.text;
  return Done{};
}

// Names of parameters, in any order. What no job has allows nothing, as in Grid Engine.
Outcome read_jsv_allowed_mod(G& conf, const GivenAttribute& given) {
  conf.jsv_allowed_mod = parse_name_list(given.text);
  return Done{};
}

template <HookEvent event> Outcome read_hook(G& conf, const GivenAttribute& given) {
  const auto command = parse_hook_command(given.text);
  if (!command) return command.error();
  if (!command->words.empty()) conf.hooks.commands[static_cast<std::size_t>(event)] = given.text;
  return Done{};
}

Outcome read_hook_timeout(G& conf, const GivenAttribute& given) {
  const auto time = parse_duration(given.text);
  if (!time || time->seconds < 1 || time->seconds > 3600)
    return Error{"\"" + given.text + "\" is not a time from 0:0:1 to 1:0:0"};
  conf.hooks.timeout = *time;
  return Done{};
}

Outcome read_required_hooks(G& conf, const GivenAttribute& given) {
  for (const auto& name : parse_name_list(given.text)) {
    const auto able = {HookEvent::confirm, HookEvent::change, HookEvent::start};
    const auto* event =
        std::find_if(able.begin(), able.end(), [&](HookEvent one) { return name_of(one) == name; });
    if (event == able.end()) return Error{"\"" + name + "\" is not confirm, change or start"};
    auto& required = conf.hooks.required[static_cast<std::size_t>(*event)];
    if (std::exchange(required, true)) return Error{"\"" + name + "\" stands there twice"};
  }
  return Done{};
}

Outcome read_most_reservations_of_users(G& conf, const GivenAttribute& given) {
  return take<&G::max_u_advance_reservations>(conf, UserLimit::parse(given.text, G::most));
}
Outcome read_most_slot_hours_of_users(G& conf, const GivenAttribute& given) {
  return take<&G::max_u_ar_slot_hours>(conf, UserLimit::parse(given.text, G::most_slot_hours));
}

Outcome read_offer_time(G& conf, const GivenAttribute& given) {
  const auto time = parse_duration(given.text);
  if (!time || time->seconds < 1 || time->seconds > 24 * 3600)
    return Error{"\"" + given.text + "\" is not a time from 0:0:1 to 24:0:0"};
  conf.max_offer_time = *time;
  return Done{};
}

Outcome read_login_shells(G& conf, const GivenAttribute& given) {
  conf.login_shells = parse_name_list(given.text);
  for (const auto& shell : conf.login_shells)
    if (shell.find('/') != std::string::npos)
      return Error{"\"" + shell + "\" is not the name of a shell without its path"};
  return Done{};
}

Outcome read_load_sensors(G& conf, const GivenAttribute& given) {
  return take<&G::load_sensors>(conf, parse_load_sensors(given.text));
}

Outcome read_default_project(G& conf, const GivenAttribute& given) {
  if (conf.knows_usual_user)
    conf.usual_user.default_project = equal_ignoring_case(given.text, "NONE") ? "" : given.text;
  return Done{};
}
// Their rows are behind that of enforce_user.
template <auto member> Outcome of_usual_user(G& conf, const GivenAttribute& given) {
  const auto number = number_of(given.text);
  if (!number) return number.error();
  if (conf.knows_usual_user) conf.usual_user.*member = *number;
  return Done{};
}

// ---- lists of parameters ----------------------------------------------------------------------

Outcome read_execd_params(G& conf, const GivenAttribute& given) {
  const std::set<std::string> signals{"HUP",  "INT",  "QUIT", "ABRT", "USR1", "USR2",
                                      "PIPE", "ALRM", "TERM", "CONT", "TSTP", "URG"};
  for (const auto& param : parse_name_list(given.text)) {
    auto [name, has_value, value] = Param(param);
    if (is_idle_param(given.name, name, value)) continue;
    if (const auto limit = lower(name); is_host_limit(limit)) {
      const auto amount = parse_memory(value);
      if (!amount) return Error{"\"" + param + "\": " + amount.what()};
      conf.process_limits[limit] = *amount;
      continue;
    }
    if (name != "NOTIFY_KILL" && name != "NOTIFY_SUSP")
      return Error{"\"" + param + "\" is not built yet"};
    if (value.starts_with("SIG")) value.erase(0, 3);
    if (equal_ignoring_case(value, "none")) value.clear();
    else if (!signals.contains(value))
      return Error{"\"" + param + "\" is neither a signal nor none"};
    (name == "NOTIFY_KILL" ? conf.notify.kill : conf.notify.suspend) = value;
  }
  return Done{};
}

struct Amount {
  std::int64_t* into;
  std::int64_t unit;
  const char* of;
};
std::map<std::string, Amount> amounts_of(G& conf) {
  constexpr std::int64_t day = 24 * 3600;
  return {{"MAX_USER_MB", {&conf.max_user_mb, 1, "MB"}},
          {"ACCOUNTING_DAYS", {&conf.kept.accounting.age.seconds, day, "days"}},
          {"ACCOUNTING_MB", {&conf.kept.accounting.megabytes, 1, "MB"}},
          {"INPUTS_DAYS", {&conf.kept.inputs.age.seconds, day, "days"}},
          {"INPUTS_MB", {&conf.kept.inputs.megabytes, 1, "MB"}},
          {"SCHEDULE_DAYS", {&conf.kept.schedule.age.seconds, day, "days"}},
          {"SCHEDULE_MB", {&conf.kept.schedule.megabytes, 1, "MB"}}};
}

Outcome read_amount(const Amount& amount, const std::string& text) {
  const auto number = parse_number(Param(text).value);
  if (!number || *number > most) return Error{"\"" + text + "\" is not a number of " + amount.of};
  *amount.into = *number * amount.unit;
  return Done{};
}

Outcome read_patience(G& conf, const Param& param) {
  const auto time = parse_duration(param.value);
  if (!time) return time.error();
  if (time->is_endless()) return Error{"repair_patience ends some time"};
  conf.repair_patience = *time;
  return Done{};
}

Outcome read_qmaster_params(G& conf, const GivenAttribute& given) {
  const std::map<std::string, bool*> switches{{"ENABLE_FORCED_QDEL", &conf.forced_qdel_for_owners},
                                              {"REPAIR_AR", &conf.repairs_reservations},
                                              {"AR_HONOR_RQS", &conf.quotas_in_reservations},
                                              {"AR_ALTERNATIVES", &conf.names_alternatives},
                                              {"FORBID_RESCHEDULE", &conf.forbid_reschedule},
                                              {"FORBID_APPERROR", &conf.forbid_application_error}};
  const auto amounts = amounts_of(conf);
  for (const auto& text : parse_name_list(given.text)) {
    const Param param(text);
    if (is_idle_param(given.name, param.name, param.value)) continue;
    if (const auto amount = amounts.find(param.name); amount != amounts.end()) {
      if (auto read = read_amount(amount->second, text); !read) return read;
      continue;
    }
    if (param.name == "repair_patience") {
      if (auto read = read_patience(conf, param); !read) return read;
      continue;
    }
    const auto known = switches.find(param.name);
    if (known == switches.end()) return Error{"\"" + text + "\" is not built yet"};
    const auto on = param.on();
    if (!on) return Error{"\"" + text + "\": " + on.what()};
    *known->second = *on;
  }
  return Done{};
}

// Files are written at once, so any time to flush them is kept.
Outcome read_time_of_reports(const Param& param) {
  const auto time = parse_duration(param.value);
  if (!time) return time.error();
  if (param.name == "sharelog" && time->seconds > 0) return Error{"a sharelog is not built yet"};
  return Done{};
}

Outcome read_reporting_params(G& conf, const GivenAttribute& given) {
  std::string not_built; // of the reporting file: nothing is missing where that is not written
  for (const auto& text : parse_name_list(given.text)) {
    const Param param(text);
    if (param.name.ends_with("flush_time") || param.name == "sharelog") {
      if (auto read = read_time_of_reports(param); !read) return read;
      continue;
    }
    const auto on = parse_switch(param.value);
    if (!on) return Error{"\"" + text + "\": " + on.what()};
    if (param.name == "accounting") conf.writes_accounting = *on;
    else if (param.name == "reporting") conf.writes_reports = *on;
    else if (param.name == "joblog") conf.writes_job_log = *on;
    else if (param.name != "log_consumables") return Error{"\"" + param.name + "\" is not known"};
    else if (*on) not_built = text;
  }
  if (conf.writes_reports && !not_built.empty())
    return Error{"\"" + not_built + "\" is not built yet, with reporting=true"};
  return Done{};
}

// ---- the rows ---------------------------------------------------------------------------------

const AttributeRow<G> rows[]{
    {.name = "user_lists",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&G::user_lists>,
     .check = anything},
    {.name = "xuser_lists",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&G::xuser_lists>,
     .check = anything},
    {.name = "projects",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&G::projects>,
     .check = anything},
    {.name = "xprojects",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&G::xprojects>,
     .check = anything},
    {.name = "enforce_project",
     .fallback = "false",
     .shape = ValueShape::single,
     .read = toggle<&G::enforces_project>,
     .check = anything},
    {.name = "enforce_user",
     .fallback = "auto",
     .shape = ValueShape::single,
     .read = read_enforce_user,
     .check = anything},
    {.name = "mailer",
     .fallback = "/bin/mail",
     .shape = ValueShape::single,
     .read = read_mailer,
     .check = anything},
    {.name = "prolog",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = step<&G::prolog>,
     .check = anything},
    {.name = "epilog",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = step<&G::epilog>,
     .check = anything},
    {.name = "shell_start_mode",
     .fallback = "posix_compliant",
     .shape = ValueShape::single,
     .read = read_shell_start_mode,
     .check = anything},
    {.name = "min_uid",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&G::min_uid>,
     .check = anything},
    {.name = "min_gid",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&G::min_gid>,
     .check = anything},
    {.name = "login_shells",
     .fallback = "sh,bash,ksh,csh,tcsh",
     .shape = ValueShape::names,
     .read = read_login_shells,
     .check = anything},
    {.name = "load_sensor",
     .fallback = "none",
     .shape = ValueShape::names,
     .read = read_load_sensors,
     .check = anything},
    {.name = "loglevel",
     .fallback = "log_info",
     .shape = ValueShape::single,
     .read = read_log_level,
     .check = anything},
    {.name = "administrator_mail",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = read_administrators,
     .check = anything},
    {.name = "load_report_time",
     .fallback = "0:0:40",
     .shape = ValueShape::single,
     .read = interval<&G::load_report_time>,
     .check = anything},
    {.name = "max_unheard",
     .fallback = "0:0:10",
     .shape = ValueShape::single,
     .read = interval<&G::max_unheard>,
     .check = anything},
    {.name = "reschedule_unknown",
     .fallback = "0:0:0",
     .shape = ValueShape::single,
     .read = read_reschedule_unknown,
     .check = anything},
    {.name = "max_aj_instances",
     .fallback = "2000",
     .shape = ValueShape::single,
     .read = number<&G::max_aj_instances>,
     .check = anything},
    {.name = "max_aj_tasks",
     .fallback = "75000",
     .shape = ValueShape::single,
     .read = number<&G::max_aj_tasks>,
     .check = anything},
    {.name = "max_u_jobs",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&G::max_u_jobs>,
     .check = anything},
    {.name = "max_jobs",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&G::max_jobs>,
     .check = anything},
    {.name = "max_advance_reservations",
     .fallback = "INFINITY",
     .shape = ValueShape::single,
     .read = read_most_reservations,
     .check = anything},
    {.name = "auto_user_oticket",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = of_usual_user<&User::override_tickets>,
     .check = anything},
    {.name = "auto_user_fshare",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = of_usual_user<&User::functional_share>,
     .check = anything},
    {.name = "auto_user_default_project",
     .fallback = "none",
     .shape = ValueShape::single,
     .read = read_default_project,
     .check = anything},
    {.name = "jsv_url",
     .fallback = "none",
     .shape = ValueShape::single,
     .read = read_jsv_url,
     .check = anything},
    {.name = "jsv_allowed_mod",
     .fallback = "ac,h,i,e,o,j,M,N,p,w",
     .shape = ValueShape::names,
     .read = read_jsv_allowed_mod,
     .check = anything},
    {.name = "ar_confirm",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = read_hook<HookEvent::confirm>,
     .check = anything},
    {.name = "ar_start",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = read_hook<HookEvent::start>,
     .check = anything},
    {.name = "ar_change",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = read_hook<HookEvent::change>,
     .check = anything},
    {.name = "ar_end",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = read_hook<HookEvent::end>,
     .check = anything},
    {.name = "ar_cancel",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = read_hook<HookEvent::cancel>,
     .check = anything},
    {.name = "ar_error",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = read_hook<HookEvent::error>,
     .check = anything},
    {.name = "ar_hook_timeout",
     .fallback = "0:0:30",
     .shape = ValueShape::single,
     .read = read_hook_timeout,
     .check = anything},
    {.name = "hook_must_succeed",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = read_required_hooks,
     .check = anything},
    {.name = "max_u_advance_reservations",
     .fallback = "INFINITY",
     .shape = ValueShape::single,
     .read = read_most_reservations_of_users,
     .check = anything},
    {.name = "max_u_ar_slot_hours",
     .fallback = "INFINITY",
     .shape = ValueShape::single,
     .read = read_most_slot_hours_of_users,
     .check = anything},
    {.name = "max_offer_time",
     .fallback = "0:5:0",
     .shape = ValueShape::single,
     .read = read_offer_time,
     .check = anything},
    {.name = "max_u_offers",
     .fallback = "2",
     .shape = ValueShape::single,
     .read = number<&G::max_u_offers>,
     .check = anything},
    {.name = "qmaster_params",
     .fallback = "none",
     .shape = ValueShape::amounts,
     .read = read_qmaster_params,
     .check = anything},
    {.name = "execd_params",
     .fallback = "none",
     .shape = ValueShape::amounts,
     .read = read_execd_params,
     .check = anything},
    {.name = "reporting_params",
     .fallback = "accounting=true reporting=false flush_time=00:00:15 joblog=false "
                 "sharelog=00:00:00",
     .shape = ValueShape::amounts,
     .read = read_reporting_params,
     .check = anything},
};

} // namespace

Result<GlobalConfiguration> GlobalConfiguration::parse(const ConfigurationObject& object) {
  GlobalConfiguration conf;
  if (auto read = read_rows(rows, object, conf); !read) return read.error();
  return conf;
}

Kind global_configuration_kind() { return kind_with<rows>("configuration", "", ""); }

} // namespace almanac
