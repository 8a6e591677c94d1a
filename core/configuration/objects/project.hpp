// Projects (spec/objects.md section 9).
#pragma once

#include "core/configuration/objects/kind.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

struct Project {
  std::string name;
  std::int64_t functional_share = 0, override_tickets = 0;
  std::vector<std::string> users, excluded_users; ///< usersets

  static Result<Project> parse(const ConfigurationObject& object);
};

Kind project_kind();

} // namespace almanac
