// The Unix door of a daemon: a broker that frames, and asks the kernel who is at the other end.
#pragma once

#include "actors/interfaces.hpp"
#include "core/base/result.hpp"

#include <string>

namespace almanac {

/// Whoever takes frames: the master's gate, or an agent.
using FrameTaker = caf::typed_actor<caf::reacts_to<DoorFrame>>;

/// Binds `path` (an old socket there is replaced) and serves it; everybody may connect.
Outcome open_unix_door(caf::actor_system& system, const std::string& path, const FrameTaker& taker,
                       const std::string& host);

} // namespace almanac
