// The TCP door of the master, for hosts without an agent.
//
// 1. TLS 1.3 from the first byte: the master proves with its certificate who it is.
// 2. Each request carries a MUNGE credential, over the request and the channel that it comes
//    through: it is good there only, and once.
#pragma once

#include "actors/process/door_broker.hpp"

#include <cstdint>
#include <string>

namespace almanac {

/// Whether a munged answers at `socket` ("": the library's default); the error says why not.
Outcome munge_answers(const std::string& socket);

struct TcpDoorSettings {
  std::string address;
  std::uint16_t port = 0; ///< 0: any
  std::string munge_socket;
  TlsFiles tls; ///< the master's; its authority is for those who call
  /// The cell's folder with host_aliases and bootstrap: under which names hosts are known. They may
  /// be missing.
  std::string common{};
};

/// Binds and serves. Frames are opened by actors with threads of their own, since munged makes them
/// wait, and go on to `taker` in the name of the credential's user. The port that was opened.
Result<std::uint16_t> open_tcp_door(caf::actor_system& system, const TcpDoorSettings& settings,
                                    const FrameTaker& taker);

} // namespace almanac
