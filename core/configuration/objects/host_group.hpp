// Groups of hosts (spec/objects.md section 2).
#pragma once

#include "core/configuration/objects/kind.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Hosts and other groups.
std::vector<std::string> parse_host_group(const ConfigurationObject& object);

Kind host_group_kind();

} // namespace almanac
