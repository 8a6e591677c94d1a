#include "actors/master/agent_door.hpp"

#include "actors/support.hpp"
#include "actors/warnings.hpp"
#include "core/policy/standing.hpp"

namespace almanac {

void AgentDoor::open(SessionActor session) {
  close();
  session_ = std::move(session);
}

void AgentDoor::close() {
  session_ = SessionActor();
  answers_.clear();
}

DoorFrame AgentDoor::frame_of(const session::Relay& relay, Instant now) {
  auto caller = relay.caller;
  caller.host = host_, caller.through = agent_on(host_);
  const auto& [known, doubt] = accounts_.find(caller, vouched_, now);
  if (!doubt.empty()) warn_of(host_, caller.through + " is not believed, " + doubt);
  return {relay.connection, known, relay.frame.content};
}

bool AgentDoor::take(const DoorReply& reply) {
  if (!session_) return false;
  auto taken = answers_.take(reply);
  if (taken.at_once) say(std::move(*taken.at_once));
  return taken.is_next;
}

AgentDoor::Next AgentDoor::go_on() {
  if (answers_.empty()) return {};
  auto next = answers_.next();
  if (auto* wanted = std::get_if<WaitingAnswers::Wanted>(&next)) return {false, std::move(*wanted)};
  say(std::move(std::get<WaitingAnswers::Frame>(next)));
  return {!answers_.empty(), std::nullopt};
}

void AgentDoor::say(WaitingAnswers::Frame frame) const {
  caf::anon_send(session_, Say{session::RelayAnswer{frame.connection, {std::move(frame.content)}}});
}

} // namespace almanac
