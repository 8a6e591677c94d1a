// What a launcher tells from its threads, as messages to an agent.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/launcher.hpp"

namespace almanac {

/// Records of ends come within the bounds of a report, whatever a process has left behind.
Launcher::Events events_for(const AgentActor& agent);

} // namespace almanac
