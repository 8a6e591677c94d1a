// Where connections begin at a simulated daemon: the first packet of somebody makes a session.
#pragma once

#include "actors/session/session.hpp"

namespace almanac {

/// Spawns it; `setup` is that of the sessions, whose remote is filled in.
WireActor spawn_reception(caf::actor_system& system, const SessionSetup& setup);

} // namespace almanac
