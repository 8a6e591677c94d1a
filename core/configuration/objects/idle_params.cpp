#include "core/configuration/objects/idle_params.hpp"

#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/readers.hpp"

#include <map>

namespace almanac {

namespace {

enum class Idle { off, on, anything };
using IdleParams = std::map<std::string, Idle, std::less<>>;

const IdleParams of_master{{"DISABLE_AUTO_RESCHEDULING", Idle::off},
                           {"OLD_RESCHEDULE_BEHAVIOR", Idle::off},
                           {"OLD_RESCHEDULE_BEHAVIOR_ARRAY_JOB", Idle::off},
                           {"SIMULATE_EXECDS", Idle::off},
                           {"MAX_DYN_EC", Idle::anything},
                           {"MONITOR_TIME", Idle::anything},
                           {"LOG_MONITOR_MESSAGE", Idle::anything},
                           {"PROF_SIGNAL", Idle::anything},
                           {"PROF_WORKER", Idle::anything},
                           {"PROF_LISTENER", Idle::anything},
                           {"PROF_DELIVER", Idle::anything},
                           {"PROF_TEVENT", Idle::anything},
                           {"PROF_SCHEDULER", Idle::anything},
                           {"STREE_SPOOL_INTERVAL", Idle::anything},
                           {"MAX_JOB_DELETION_TIME", Idle::anything},
                           {"gdi_timeout", Idle::anything},
                           {"gdi_retries", Idle::anything},
                           {"cl_ping", Idle::anything},
                           {"SCHEDULER_TIMEOUT", Idle::anything},
                           {"jsv_timeout", Idle::anything},
                           {"jsv_threshold", Idle::anything},
                           {"NO_AUTHENTICATION", Idle::anything},
                           {"NO_SECURITY", Idle::anything},
                           {"ENABLE_MTRACE", Idle::anything},
                           {"print_malloc_info", Idle::anything}};

const IdleParams of_agents{{"ENABLE_WINDOMACC", Idle::off},
                           {"USE_QSUB_GID", Idle::off},
                           {"SET_LIB_PATH", Idle::off},
                           {"USE_SYSLOG", Idle::off},
                           {"USE_QIDLE", Idle::off},
                           {"SIMULATE_JOBS", Idle::off},
                           {"KEEP_ACTIVE", Idle::anything},
                           {"INHERIT_ENV", Idle::anything},
                           {"IGNORE_NGROUPS_MAX_LIMIT", Idle::anything},
                           {"PTF_MIN_PRIORITY", Idle::anything},
                           {"PTF_MAX_PRIORITY", Idle::anything},
                           {"PROF_EXECD", Idle::anything},
                           {"SHARETREE_RESERVED_USAGE", Idle::anything},
                           {"ENABLE_ADDGRP_KILL", Idle::anything},
                           {"PDC_INTERVAL", Idle::anything},
                           {"ENABLE_BINDING", Idle::anything},
                           {"NO_AUTHENTICATION", Idle::anything},
                           {"DO_AUTHENTICATION", Idle::anything},
                           {"NO_SECURITY", Idle::anything},
                           {"USE_CGROUPS", Idle::anything},
                           {"USE_SMAPS", Idle::anything},
                           {"DEMAND_LS", Idle::anything},
                           {"print_malloc_info", Idle::anything}};

// PE_RANGE_ALG says how the same number of slots is looked for.
const IdleParams of_scheduler{
    {"PROFILE", Idle::anything}, {"PE_RANGE_ALG", Idle::anything}, {"JC_FILTER", Idle::anything}};

const IdleParams& params_of(std::string_view attribute) {
  static const IdleParams nothing;
  if (attribute == "qmaster_params") return of_master;
  if (attribute == "execd_params") return of_agents;
  if (attribute == "params") return of_scheduler;
  return nothing;
}

} // namespace

bool is_idle_param(std::string_view attribute, const std::string& name, const std::string& value) {
  const auto& params = params_of(attribute);
  const auto known = params.find(name);
  if (known == params.end()) return false;
  if (known->second == Idle::anything) return true;
  const auto on = value.empty() ? Result<bool>(true) : parse_switch(value);
  return on && *on == (known->second == Idle::on);
}

std::optional<std::string> why_params_unused(const Attribute& attribute) {
  const auto& params = params_of(attribute.name);
  if (params.empty()) return std::nullopt;
  std::vector<std::string> unused;
  for (const auto& text : parse_name_list(attribute.value))
    if (const readers::Param param(text); params.contains(param.name)) unused.push_back(param.name);
  if (unused.empty()) return std::nullopt;
  return "nothing here looks at " + print_name_list(unused);
}

} // namespace almanac
