// Sends the letters that lie in the store, and takes them out of it when they have been handed
// over: at least once each, also when the master ends in between.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/clock.hpp"
#include "actors/ports/journal.hpp"
#include "actors/ports/mailer.hpp"

#include <string>

namespace almanac {

struct PostmanSetup {
  Mailer* mailer = nullptr;
  const Clock* clock = nullptr;
  const Journal* store = nullptr; ///< where it begins: letters of earlier
  JournalActor journal;
  DirectoryActor directory;
  std::string store_id;
  std::string program; ///< the mailer of the configuration, which it follows; "": nothing is sent
};

/// It has a thread of its own: a mailer takes its time.
PostmanActor spawn_postman(caf::actor_system& system, PostmanSetup setup);

} // namespace almanac
