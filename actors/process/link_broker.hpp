// Our own link between daemons: frames over TLS 1.3. Nothing but Packets can cross it.
//
//   socket --bytes--> TlsChannel --text--> PacketAssembly --Packet--> session
//   session --Packet--> wire (an actor of the connection, the session's far side) --> broker -->
//   socket
//
// 1. Ten seconds for TLS; then the session is there, which gives its own handshake as long.
// 2. An address has a share of the places, and a connection memory for what has come alone.
// 3. A connection ends with its session, a session with its connection.
#pragma once

#include "actors/process/tls_channel.hpp"
#include "actors/session/session.hpp"

#include <caf/actor.hpp>

namespace almanac {

/// To the broker: begin with this socket, which is connected, on behalf of the session.
struct LinkDialed {
  int socket = -1;
  std::string address;
  SessionActor session;
};
/// To the broker: take connections at this socket; each gets a session, made of `accepting`.
struct LinkListen {
  int socket = -1;
  SessionSetup accepting;
};

caf::actor spawn_link_broker(caf::actor_system& system, const TlsContext& context);

} // namespace almanac

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(almanac::LinkDialed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(almanac::LinkListen)
