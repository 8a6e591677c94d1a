// What becomes a job: qsub.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

Answer submit(State& state, const Caller& caller, const Submit& command, Instant now);

} // namespace almanac::rules
