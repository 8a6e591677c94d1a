#include "core/configuration/objects/local_configuration.hpp"

#include <algorithm>
#include <iterator>

namespace almanac {

namespace {

constexpr std::string_view attributes[]{"mailer",
                                        "xterm",
                                        "load_sensor",
                                        "prolog",
                                        "epilog",
                                        "login_shells",
                                        "shell_start_mode",
                                        "load_report_time",
                                        "execd_params",
                                        "reschedule_unknown",
                                        "execd_spool_dir",
                                        "gid_range",
                                        "set_token_cmd",
                                        "pag_cmd",
                                        "token_extend_time",
                                        "shepherd_cmd",
                                        "qlogin_command",
                                        "qlogin_daemon",
                                        "rlogin_command",
                                        "rlogin_daemon",
                                        "rsh_command",
                                        "rsh_daemon",
                                        "libjvm_path",
                                        "additional_jvm_args"};

Outcome check(const ConfigurationObject& object, const ComplexTable&) {
  for (const auto& [name, value] : object.attributes)
    if (!may_be_local(name))
      return in_attribute(name,
                          "it is the same on all hosts: only the global configuration has it");
  return Done{};
}

} // namespace

bool may_be_local(std::string_view attribute) {
  return std::find(std::begin(attributes), std::end(attributes), attribute) != std::end(attributes);
}

ConfigurationObject merged_with(const ConfigurationObject& local,
                                const ConfigurationObject& global) {
  auto merged = global;
  for (const auto& [name, value] : local.attributes) merged.set(name, value);
  return merged;
}

Kind local_configuration_kind() { return {"configuration", "", "", {}, {}, check}; }

} // namespace almanac
