// An agent's actors, put together: in a daemon over real ports, in the simulator over virtual ones.
#pragma once

#include "actors/agent/agent.hpp"
#include "actors/ports/clock.hpp"
#include "actors/ports/common_files.hpp"
#include "actors/session/session.hpp"

namespace almanac {

struct AgentPorts {
  const Clock* clock = nullptr;
  Launcher* launcher = nullptr;
  Link* link = nullptr;
  Handshake::Random random;
  const Identity* identity = nullptr;
  std::string master_address;
  void (*set_log_level)(LogLevel) = nullptr; ///< of this process
  CommonFileCopies* common_copies = nullptr; ///< none: it keeps none
};

struct Agent {
  DirectoryActor directory;
  AgentActor agent;
  SessionSetup sessions; ///< of those that other agents begin
};

Agent assemble_agent(caf::actor_system& system, const AgentPorts& ports);

/// Lets the agent look for its master; before, its own address has to be known.
void start_agent(const Agent& agent);

} // namespace almanac
