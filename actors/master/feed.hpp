// Tells whoever subscribes what changes.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/archive.hpp"
#include "actors/support.hpp"

namespace almanac {

struct FeedSetup {
  const Archive* store = nullptr;
  Term term;
  Sequence last; ///< the last input that is durable when this start of the master begins
  ViewsActor views;
  DirectoryActor directory;
};

/// `thread` own: reading may wait for the disk, so daemons give it one.
FeedActor spawn_feed(caf::actor_system& system, FeedSetup setup, Thread thread);

} // namespace almanac
