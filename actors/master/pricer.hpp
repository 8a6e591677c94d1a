// Works out what reservations would cost others, beside the planner (spec/beyond.md section 2).
#pragma once

#include "actors/interfaces.hpp"
#include "actors/support.hpp"

namespace almanac {

/// `thread` own: one takes seconds where many jobs wait, so daemons give it one.
PricerActor spawn_pricer(caf::actor_system& system, DirectoryActor directory, Thread thread);

} // namespace almanac
