// One execution host's side: its session with the master, its tasks, its peers, its door.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/ports/clock.hpp"
#include "actors/ports/common_files.hpp"
#include "actors/ports/launcher.hpp"
#include "actors/session/link.hpp"
#include "actors/trust/handshake.hpp"

#include <string>

namespace almanac {

struct AgentSetup {
  const Identity* identity = nullptr;
  const Clock* clock = nullptr;
  Launcher* launcher = nullptr;
  Link* link = nullptr;
  Handshake::Random random;
  DirectoryActor directory;
  std::string master_address;
  void (*set_log_level)(LogLevel) = nullptr;
  CommonFileCopies* common_copies = nullptr; ///< none: it keeps none
};

/// Adopts what lies in the spool; connects when it is told to Wake.
AgentActor spawn_agent(caf::actor_system& system, AgentSetup setup);

} // namespace almanac
