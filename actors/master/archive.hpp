// Reads the store for whoever asks, beside the journal that writes it, and keeps it small.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/archive.hpp"
#include "actors/ports/clock.hpp"
#include "actors/support.hpp"

namespace almanac {

struct ArchiveSetup {
  const Archive* store = nullptr;
  const Clock* clock = nullptr;
  JournalActor journal; ///< what is removed, is removed there
  DirectoryActor directory;
};

/// `thread` own: reading may wait for the disk, so daemons give it one.
ArchiveActor spawn_archive(caf::actor_system& system, ArchiveSetup setup, Thread thread);

} // namespace almanac
