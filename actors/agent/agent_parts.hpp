// The actors that an agent spawns beside itself, and what they share.
#pragma once

#include "actors/agent/agent.hpp"
#include "actors/session/session.hpp"

#include <map>
#include <memory>
#include <string>

namespace almanac {

struct AgentContext {
  AgentSetup setup;
  AgentActor agent;
};

/// A session that this host begins.
SessionSetup calling_session(const AgentSetup& setup, SessionOwner owner, session::Role with);

TaskActor spawn_task(caf::actor_system& system, std::shared_ptr<const AgentContext> context,
                     const Attempt& attempt);
PeerActor spawn_peer(caf::actor_system& system, std::shared_ptr<const AgentContext> context,
                     const std::string& host);
SensorActor spawn_sensor(caf::actor_system& system, std::shared_ptr<const AgentContext> context);
CommonCopiesActor spawn_common_copies(caf::actor_system& system,
                                      std::shared_ptr<const AgentContext> context);

/// Each is spawned when it is asked for first.
class AgentParts {
public:
  AgentParts(caf::actor_system& system, AgentContext context);

  /// The actor of an attempt: there is one for each task of the list, and for each that a peer
  /// announces before the master does.
  const TaskActor& task(const Attempt& attempt);
  /// nullptr if there is none yet.
  TaskActor find_task(const Attempt& attempt) const;
  /// No longer that of the attempt, to be told so; nullptr if there was none.
  TaskActor take_task(const Attempt& attempt);

  /// Another agent, which this one calls.
  const PeerActor& peer(const std::string& host);
  std::size_t peers() const { return peers_.size(); }

  const SensorActor& sensor();

  /// Whoever keeps copies of the cell's common files hears what the master says of them, if this
  /// agent keeps any.
  void tell_copies(const session::CommonFiles& list);
  void tell_copies(const session::CommonFile& file);

private:
  const CommonCopiesActor& common_copies();

  caf::actor_system& system_;
  std::shared_ptr<const AgentContext> context_;
  std::map<Attempt, TaskActor> tasks_;
  std::map<std::string, PeerActor> peers_;
  SensorActor sensor_;
  CommonCopiesActor common_copies_;
};

} // namespace almanac
