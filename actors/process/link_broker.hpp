// Our own link between daemons: frames over TLS 1.3. Nothing but Packets can cross it.
//
//   socket --bytes--> TlsChannel --text--> PacketAssembly --Packet--> session
//   session --Packet--> wire (an actor of the connection, the session's far side) --> broker -->
//   socket
//
// 1. Ten seconds for TLS; then the session is there, which gives its own handshake as long.
// 2. An address has a share of the places, and an agent, once TLS has shown who it is; a connection
//    has memory for what has come alone. Where there is no place for one more, one goes that is not
//    done with TLS (core/admission/strangers); no agent does.
// 3. A connection ends with its session, a session with its connection.
// 4. What a session has not heard yet is little: nothing more is read until it has caught up.
// 5. A certificate is good for one role: who calls a master finds one, and only agents call.
// 6. Both ends say in TLS (ALPN) that they mean these frames. A daemon of protocol 1 does not: it
//    is told of by the name in its certificate.
#pragma once

#include "actors/process/certificate.hpp"
#include "actors/process/tls_channel.hpp"
#include "actors/session/session.hpp"

#include <caf/actor.hpp>

namespace almanac {

/// To the broker: begin with this socket, which is connected, on behalf of the session.
struct LinkDialed {
  int socket = -1;
  std::string address;
  CertificateRole role = CertificateRole::master; ///< of who is there
  SessionActor session;
};
/// Who takes what begins at a daemon's port.
struct LinkAcceptor {
  SessionMaker sessions;
  /// Hears of an agent that can't be let in, and why, in the broker's thread; may be nothing.
  std::function<void(const std::string& host, const char* what)> tell_people;
};
/// To the broker: take connections at this socket.
struct LinkListen {
  int socket = -1;
  LinkAcceptor acceptor;
};

caf::actor spawn_link_broker(caf::actor_system& system, const TlsContext& context);

} // namespace almanac

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(almanac::LinkDialed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(almanac::LinkListen)
