#include "core/configuration/objects/global_params.hpp"

#include "core/configuration/objects/idle_params.hpp"
#include "core/configuration/objects/process_limit.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/text/numbers.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac {

using readers::Param;

namespace {

constexpr Duration longest_flush{3600}; // what is longer counts as that

struct Amount {
  std::int64_t* into;
  std::int64_t unit;
  const char* of;
};
std::map<std::string, Amount> amounts_of(GlobalConfiguration& conf) {
  constexpr std::int64_t day = 24 * 3600;
  return {{"MAX_USER_MB", {&conf.max_user_mb, 1, "MB"}},
          {"ACCOUNTING_DAYS", {&conf.kept.accounting.age.seconds, day, "days"}},
          {"ACCOUNTING_MB", {&conf.kept.accounting.megabytes, 1, "MB"}},
          {"REPORTING_DAYS", {&conf.kept.reports.age.seconds, day, "days"}},
          {"REPORTING_MB", {&conf.kept.reports.megabytes, 1, "MB"}},
          {"INPUTS_DAYS", {&conf.kept.inputs.age.seconds, day, "days"}},
          {"INPUTS_MB", {&conf.kept.inputs.megabytes, 1, "MB"}},
          {"SCHEDULE_DAYS", {&conf.kept.schedule.age.seconds, day, "days"}},
          {"SCHEDULE_MB", {&conf.kept.schedule.megabytes, 1, "MB"}}};
}

Outcome read_amount(const Amount& amount, const std::string& text) {
  const auto number = parse_number(Param(text).value);
  if (!number || *number > readers::most)
    return Error{"\"" + text + "\" is not a number of " + amount.of};
  *amount.into = *number * amount.unit;
  return Done{};
}

Outcome read_patience(GlobalConfiguration& conf, const Param& param) {
  const auto time = parse_duration(param.value);
  if (!time) return time.error();
  if (time->is_endless()) return Error{"repair_patience ends some time"};
  conf.repair_patience = *time;
  return Done{};
}

// A time of reporting_params; false: it is another parameter. Accounting has waited for flush_time
// in Grid Engine, where it has no time of its own; here it is there at once.
Result<bool> read_time_of_reports(GlobalConfiguration& conf, const Param& param) {
  const bool is_share_log = param.name == "sharelog", is_flush = param.name == "flush_time";
  if (!is_share_log && !is_flush && param.name != "accounting_flush_time") return false;
  const auto time = parse_duration(param.value);
  if (!time) return time.error();
  if (is_share_log) {
    if (time->seconds > 0) return Error{"a sharelog is not built yet: there is no share tree"};
    return true;
  }
  (is_flush ? conf.report_flush : conf.accounting_flush) = std::min(*time, longest_flush);
  return true;
}

} // namespace

Outcome read_qmaster_params(GlobalConfiguration& conf, const GivenAttribute& given) {
  const std::map<std::string, bool*> switches{
      {"ENABLE_FORCED_QDEL", &conf.forced_qdel_for_owners},
      {"REPAIR_AR", &conf.repairs_reservations},
      {"AR_HONOR_RQS", &conf.quotas_in_reservations},
      {"AR_ALTERNATIVES", &conf.names_alternatives},
      {"FORBID_RESCHEDULE", &conf.forbid_reschedule},
      {"FORBID_APPERROR", &conf.forbid_application_error},
      {"ENABLE_ENFORCE_MASTER_LIMIT", &conf.enforces_limits},
      {"ENABLE_RESCHEDULE_KILL", &conf.ends_what_cannot_rerun},
      {"ENABLE_RESCHEDULE_SLAVE", &conf.reschedules_for_parts},
      {"ENABLE_FORCED_QDEL_IF_UNKNOWN", &conf.forced_qdel_if_unknown}};
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

Outcome read_execd_params(GlobalConfiguration& conf, const GivenAttribute& given) {
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
    if (name == "ACCT_RESERVED_USAGE") {
      const auto on = Param(param).on();
      if (!on) return Error{"\"" + param + "\": " + on.what()};
      conf.accounts_reserved_usage = *on;
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

Outcome read_reporting_params(GlobalConfiguration& conf, const GivenAttribute& given) {
  const std::map<std::string, bool*> switches{{"accounting", &conf.writes_accounting},
                                              {"reporting", &conf.writes_reports},
                                              {"joblog", &conf.writes_job_log},
                                              {"log_consumables", &conf.logs_consumables}};
  for (const auto& text : parse_name_list(given.text)) {
    const Param param(text);
    const auto is_time = read_time_of_reports(conf, param);
    if (!is_time) return is_time.error();
    if (*is_time) continue;
    const auto known = switches.find(param.name);
    if (known == switches.end()) return Error{"\"" + param.name + "\" is not known"};
    const auto on = parse_switch(param.value);
    if (!on) return Error{"\"" + text + "\": " + on.what()};
    *known->second = *on;
  }
  return Done{};
}

} // namespace almanac
