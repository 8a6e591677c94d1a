// An agent's end of a session that says whatever it is told to say.
//
// The handshake is the real one, with whatever keys it is given. What is to be said lies in a
// conversation that its owner fills between two messages of the world.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/session/protocol.hpp"
#include "actors/trust/handshake.hpp"

#include <caf/actor_system.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace almanac {

struct HostileConversation {
  // Given by the owner.
  Identity identity; ///< whose name and keys it uses
  Handshake::Random random;
  session::Role with = session::Role::none;
  std::string name; ///< of an agent that is called; "" for a master
  std::function<void(const session::Message& message)> on_message;

  // Filled by the owner.
  std::deque<std::string> contents; ///< to be said, each in a packet with the next number
  std::deque<Packet> packets;       ///< to be sent as they are
  bool mute = false;                ///< no beats

  // Told by the session.
  bool open = false, over = false;
  std::int64_t heard = 0;             ///< packets
  std::string session_id;             ///< once it is open
  std::uint64_t said = 0;             ///< the number of the last packet
  std::optional<std::uint64_t> fatal; ///< of the packet for which the far end has to end it
  bool heard_after = false;           ///< and it went on talking
};

/// Sends what was added to the conversation when it is told `Say` of anything.
SessionActor spawn_hostile_session(caf::actor_system& system,
                                   std::shared_ptr<HostileConversation> talk);

} // namespace almanac
