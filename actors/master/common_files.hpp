// Looks at the cell's common files, and tells hosts what it finds.
#pragma once

#include "actors/ports/common_files.hpp"
#include "actors/support.hpp"

namespace almanac {

CommonFilesActor spawn_common_files(caf::actor_system& system, const DirectoryActor& directory,
                                    CommonFileSource& source, Thread thread);

} // namespace almanac
