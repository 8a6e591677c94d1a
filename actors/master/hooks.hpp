// Runs the hooks that lie in the store, and takes them out of it when their outcome is known: each at
// least once, also when the master ends in between (spec/beyond.md section 8).
//
// Those of a reservation are run one after the other, and eight at a time.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/accounts.hpp"
#include "actors/ports/hook_runner.hpp"
#include "actors/ports/journal.hpp"
#include "actors/support.hpp"

namespace almanac {

struct HooksSetup {
  HookRunner* runner = nullptr;
  const Journal* store = nullptr; ///< where it begins: hooks of earlier
  JournalActor journal;
  DirectoryActor directory;
  Thread thread = Thread::shared; ///< own: each is run in one of its own
  UidOf uid_of = nullptr;         ///< of users as whom hosts are to run some
};

HooksActor spawn_hooks(caf::actor_system& system, HooksSetup setup);

} // namespace almanac
