// qrsub -maintenance.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

Answer maintain(State& state, const Caller& caller, const Reserve& command, Instant now);
/// What it would come to (-w v); changes nothing.
Answer verify_maintenance(const State& state, const Caller& caller, const Reserve& command,
                          Instant now);

} // namespace almanac::rules
