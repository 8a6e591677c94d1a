// The Unix door of a daemon: the kernel says who is at the other end.
#pragma once

#include "actors/process/door_broker.hpp"

#include <string>

namespace almanac {

/// Binds `path` (an old socket there is replaced) and serves it; everybody may connect.
Outcome open_unix_door(caf::actor_system& system, const std::string& path, const FrameTaker& taker,
                       const std::string& host);

} // namespace almanac
