// Admin hosts and submit hosts: sets of names (spec/objects.md section 2).
#pragma once

#include "core/configuration/objects/kind.hpp"

#include <set>
#include <string>
#include <string_view>

namespace almanac {

/// The names in a set of admin or submit hosts, in lower case: hosts are the same in any.
Result<std::set<std::string>> parse_host_set(const ConfigurationObject& object);

Kind host_set_kind(std::string_view name);

} // namespace almanac
