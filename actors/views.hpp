// Committed state for readers.
#pragma once

#include "actors/interfaces.hpp"

namespace almanac {

ViewsActor spawn_views(caf::actor_system& system, const DirectoryActor& directory);

} // namespace almanac
