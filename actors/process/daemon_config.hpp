// The actor system of a daemon: CAF's own settings, in one place.
#pragma once

#include <caf/actor_system_config.hpp>

namespace almanac {

/// CAF carries actors, timers and sockets; nothing of its own crosses the network.
class DaemonConfig : public caf::actor_system_config {
public:
  DaemonConfig();
};

} // namespace almanac
