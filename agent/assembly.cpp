#include "agent/assembly.hpp"

#include "actors/directory.hpp"
#include "actors/session/session.hpp"
#include "actors/support.hpp"

namespace almanac {

Agent assemble_agent(caf::actor_system& system, const AgentPorts& ports) {
  auto directory = spawn_directory(system, *ports.clock);
  auto agent = spawn_agent(system, {ports.identity, ports.clock, ports.launcher, ports.link,
                                    ports.random, directory, ports.master_address,
                                    ports.set_log_level, ports.common_copies});
  SessionSetup session;
  session.identity = ports.identity, session.random = ports.random, session.directory = directory;
  session.owner = agent;
  return {directory, agent, std::move(session)};
}

void start_agent(const Agent& agent) { caf::anon_send(agent.agent, Wake{0}); }

} // namespace almanac
