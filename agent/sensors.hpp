// What the machine is and how it is doing, from /proc.
#pragma once

#include "core/host/host.hpp"
#include "schema/session_messages.hpp"

namespace almanac {

HostFacts machine_facts();
HostLoad machine_load();

} // namespace almanac
