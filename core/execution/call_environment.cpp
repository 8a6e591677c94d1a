#include "core/execution/call_environment.hpp"

#include <array>

namespace almanac {

bool is_said_by_system(std::string_view name) {
  static constexpr std::array<std::string_view, 36> names{"ALMANAC_DIR",
                                                          "ARC",
                                                          "ENVIRONMENT",
                                                          "HOME",
                                                          "HOSTNAME",
                                                          "JOB_ID",
                                                          "JOB_NAME",
                                                          "JOB_SCRIPT",
                                                          "LOGNAME",
                                                          "NHOSTS",
                                                          "NQUEUES",
                                                          "NSLOTS",
                                                          "PE",
                                                          "PE_HOSTFILE",
                                                          "QUEUE",
                                                          "REQUEST",
                                                          "RESTARTED",
                                                          "SGE_ACCOUNT",
                                                          "SGE_ARCH",
                                                          "SGE_AR_ID",
                                                          "SGE_BINARY_PATH",
                                                          "SGE_CELL",
                                                          "SGE_CWD_PATH",
                                                          "SGE_JOB_SPOOL_DIR",
                                                          "SGE_ROOT",
                                                          "SGE_STDIN_PATH",
                                                          "SGE_TASK_FIRST",
                                                          "SGE_TASK_ID",
                                                          "SGE_TASK_LAST",
                                                          "SGE_TASK_STEPSIZE",
                                                          "SHELL",
                                                          "TMP",
                                                          "TMPDIR",
                                                          "USER",
                                                          "SGE_STDOUT_PATH",
                                                          "SGE_STDERR_PATH"};
  return name.starts_with("SGE_O_") || std::find(names.begin(), names.end(), name) != names.end();
}

void export_to_call(std::vector<Attribute>& environment, const std::vector<Attribute>& exported) {
  Variables variables{std::move(environment)};
  const auto value_of = [&](const char* name) {
    const auto* found = variables.find(name);
    return found ? found->value : "";
  };
  const auto tmpdir = value_of("TMPDIR"), binaries = value_of("SGE_BINARY_PATH");
  for (const auto& [name, value] : exported)
    if (name == "PATH" && !tmpdir.empty())
      variables.set(name, path_of_job(tmpdir, &value, binaries));
    else if (!is_said_by_system(name) || !variables.find(name)) variables.set(name, value);
  environment = std::move(variables.list);
}

} // namespace almanac
