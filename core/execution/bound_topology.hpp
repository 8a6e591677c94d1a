// What of a machine is in use by tasks that are bound to cores, in the letters of core/text/topology.hpp.
#pragma once

#include "core/execution/core_choice.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Of cores in the order of their names; "" of a machine that is too large, or does not tell of them.
std::string topology_of(const std::vector<HostCore>& cores);

/// The same topology with small letters for these cores and their threads; what it does not have is
/// left out.
std::string topology_in_use(std::string topology, const std::vector<CoreName>& cores);

} // namespace almanac
