// The link of a daemon: CAF's, or our frames (environment variable ALMANAC_LINK=frames). All
// daemons of a cell have the same one.
#pragma once

#include "actors/ports/link.hpp"
#include "actors/process/tls_files.hpp"
#include "actors/session/session.hpp"

#include <caf/actor_system.hpp>

#include <memory>

namespace almanac {

/// Who takes what begins at a daemon's port.
struct LinkAcceptor {
  ReceptionActor reception; ///< CAF's link addresses it
  SessionSetup sessions;    ///< of which ours makes a session for each connection
};

class DaemonLink : public Link {
public:
  /// Opens the port; 0 chooses one. The port that was opened, or why not.
  virtual Result<std::uint16_t> listen(const LinkAcceptor& acceptor, std::uint16_t port,
                                       const std::string& address) = 0;
};

/// As ALMANAC_LINK says; what it can't be is an error.
Result<std::unique_ptr<DaemonLink>> open_daemon_link(caf::actor_system& system,
                                                     const TlsFiles& files);

} // namespace almanac
