// Committed state for readers.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/notebook.hpp"

namespace almanac {

/// `notebook` lives longer than the actor.
ViewsActor spawn_views(caf::actor_system& system, const DirectoryActor& directory,
                       Notebook* notebook);

} // namespace almanac
