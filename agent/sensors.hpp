// What the machine is and how it is doing, from /proc.
#pragma once

#include "core/host/host.hpp"
#include "schema/session_messages.hpp"

#include <string>

namespace almanac {

HostFacts machine_facts();
/// core/text/topology.hpp; a file for each processor is read.
std::string machine_topology();
HostLoad machine_load();

} // namespace almanac
