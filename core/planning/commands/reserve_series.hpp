// qrsub -repeat.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

Answer reserve_series(State& state, const Caller& caller, const Reserve& command, Instant now);

} // namespace almanac::rules
