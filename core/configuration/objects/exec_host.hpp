// Execution hosts (spec/objects.md section 2).
#pragma once

#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/squash.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace almanac {

struct ExecHost {
  std::string name;
  std::map<std::string, std::string> complex_values;
  std::vector<std::string> user_lists, xuser_lists, projects, xprojects;
  /// Complexes by name or shortcut: which load values and consumables the reporting file is told of.
  std::vector<std::string> report_variables;
  Squash squash;
  /// Millionths with which a reported load value is multiplied before anything looks at it.
  std::map<std::string, std::int64_t> load_scaling;
  std::map<std::string, std::int64_t> usage_scaling; ///< of what tasks use (job/usage_scaling.hpp)

  static Result<ExecHost> parse(const ConfigurationObject& object);
};

Kind exec_host_kind();

} // namespace almanac
