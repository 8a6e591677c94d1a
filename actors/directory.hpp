// Who is alive in this process.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/clock.hpp"

namespace almanac {

DirectoryActor spawn_directory(caf::actor_system& system, const Clock& clock);

} // namespace almanac
