#include "actors/agent/agent_parts.hpp"

#include <caf/send.hpp>

#include <utility>

namespace almanac {

SessionSetup calling_session(const AgentSetup& setup, SessionOwner owner, session::Role with) {
  SessionSetup session;
  session.identity = setup.identity, session.random = setup.random;
  session.directory = setup.directory;
  session.owner = std::move(owner), session.expected_role = with;
  return session;
}

AgentParts::AgentParts(caf::actor_system& system, AgentContext context)
    : system_(system), context_(std::make_shared<const AgentContext>(std::move(context))) {}

const TaskActor& AgentParts::task(const Attempt& attempt) {
  auto it = tasks_.find(attempt);
  if (it == tasks_.end())
    it = tasks_.emplace(attempt, spawn_task(system_, context_, attempt)).first;
  return it->second;
}

TaskActor AgentParts::find_task(const Attempt& attempt) const {
  const auto it = tasks_.find(attempt);
  return it == tasks_.end() ? TaskActor() : it->second;
}

TaskActor AgentParts::take_task(const Attempt& attempt) {
  auto node = tasks_.extract(attempt);
  return node ? std::move(node.mapped()) : TaskActor();
}

const PeerActor& AgentParts::peer(const std::string& host) {
  auto it = peers_.find(host);
  if (it == peers_.end()) it = peers_.emplace(host, spawn_peer(system_, context_, host)).first;
  return it->second;
}

const SensorActor& AgentParts::sensor() {
  if (!sensor_) sensor_ = spawn_sensor(system_, context_);
  return sensor_;
}

void AgentParts::tell_copies(const session::CommonFiles& list) {
  if (context_->setup.common_copies) caf::anon_send(common_copies(), CommonFilesListed{list});
}

void AgentParts::tell_copies(const session::CommonFile& file) {
  if (context_->setup.common_copies) caf::anon_send(common_copies(), CommonFileCame{file});
}

const CommonCopiesActor& AgentParts::common_copies() {
  if (!common_copies_) common_copies_ = spawn_common_copies(system_, context_);
  return common_copies_;
}

} // namespace almanac
