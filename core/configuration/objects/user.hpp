// User objects: what a user has beside a name (spec/objects.md section 9).
#pragma once

#include "core/configuration/objects/kind.hpp"

#include <cstdint>
#include <string>

namespace almanac {

struct User {
  std::string name;
  std::int64_t functional_share = 0, override_tickets = 0;
  std::string default_project; ///< "": none

  static Result<User> parse(const ConfigurationObject& object);
};

Kind user_kind();

} // namespace almanac
