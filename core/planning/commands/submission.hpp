// What becomes a job: qsub, and -w v and -w p of it.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

Answer submit(State& state, const Caller& caller, const Submit& command, Instant now);

/// -w v and -w p: would it fit? Changes nothing.
Answer verify(const State& state, const Caller& caller, const Submit& command, Instant now);

} // namespace almanac::rules
