// The only writer of the store.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/journal.hpp"
#include "actors/support.hpp"

namespace almanac {

/// `thread` own: commits block, so daemons give it one. Fenced and failed commits end the process.
JournalActor spawn_journal(caf::actor_system& system, const DirectoryActor& directory,
                           Journal& journal, Term term, Thread thread);

} // namespace almanac
