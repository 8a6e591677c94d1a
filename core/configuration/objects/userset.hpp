// Lists of users: usersets, which are access lists or departments, managers and operators
// (spec/objects.md section 8).
#pragma once

#include "core/configuration/objects/kind.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct Userset {
  std::string name;
  std::vector<std::string> entries; ///< users, and @ with the name or the number of a group
  bool is_access_list = false, is_department = false;
  std::int64_t functional_share = 0, override_tickets = 0;

  static Result<Userset> parse(const ConfigurationObject& object);
  /// `group` as primary_group() says it, or a name alone.
  bool contains(const std::string& user, const std::string& group) const;
};

Kind userset_kind();
/// Managers and operators.
Kind user_list_kind(std::string_view name);

} // namespace almanac
