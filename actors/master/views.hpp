// Committed state for readers.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/journal.hpp"
#include "actors/ports/notebook.hpp"

namespace almanac {

/// `notebook` and `store` live longer than the actor. Of the store it is asked whether there is
/// space.
ViewsActor spawn_views(caf::actor_system& system, const DirectoryActor& directory,
                       Notebook* notebook, const Journal* store);

} // namespace almanac
