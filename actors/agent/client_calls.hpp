// Clients at the local door that have a process: on one of the hosts of their job (qrsh -inherit), or as
// an interactive job, here or elsewhere.
//
// A call of a job that runs elsewhere is this agent's own affair: it passes the streams on. Those of
// tasks that are here go to the task's actor. Whose client goes is hung up.
#pragma once

#include "actors/agent/agent_parts.hpp"
#include "actors/agent/call_numbers.hpp"
#include "actors/agent/clients.hpp"
#include "actors/agent/local_door.hpp"

#include <caf/send.hpp>

namespace almanac {

/// To the task on this host that has the call; to nobody if it has ended.
template <class Message>
void tell_task(const CallNumbers& calls, const AgentParts& parts, const Message& message) {
  const auto attempt = calls.attempt_of(message.call);
  if (!attempt) return;
  if (const auto task = parts.find_task(*attempt)) caf::anon_send(task, message);
}

class ClientCalls {
public:
  /// All of them outlive it.
  ClientCalls(const AgentContext& context, AgentParts& parts, CallNumbers& calls)
      : context_(context), parts_(parts), calls_(calls) {}

  /// `keeper` hears the answers.
  void serve(const DoorFrame& frame, const LocalDoor::Inherit& asked,
             const caf::strong_actor_ptr& keeper);
  void serve(const DoorFrame& frame, const LocalDoor::Attach& asked,
             const caf::strong_actor_ptr& keeper);
  void serve(const DoorFrame& frame, const door::InheritInput& input,
             const caf::strong_actor_ptr& keeper);

  /// From a task here or from a peer.
  void take(const CallOutput& output);
  void take(const CallEnded& ended);
  void client_gone(const ReaderGone& gone);

  std::size_t size() const { return clients_.size(); }

private:
  void begin(std::int64_t call, DoorClient client);
  void tell_peer(const DoorClient& client, session::Message message);

  const AgentContext context_;
  AgentParts& parts_;
  CallNumbers& calls_;
  Clients clients_;
};

} // namespace almanac
