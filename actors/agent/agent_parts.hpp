// The actors that an agent spawns beside itself, and what they share.
#pragma once

#include "actors/agent/agent.hpp"

namespace almanac {

struct AgentContext {
  AgentSetup setup;
  AgentActor agent;
};

TaskActor spawn_task(caf::actor_system& system, std::shared_ptr<const AgentContext> context,
                     const Attempt& attempt);
PeerActor spawn_peer(caf::actor_system& system, std::shared_ptr<const AgentContext> context,
                     const std::string& host);
SensorActor spawn_sensor(caf::actor_system& system, std::shared_ptr<const AgentContext> context);

} // namespace almanac
