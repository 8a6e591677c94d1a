// qconf -tsm -ks -kt -at: the scheduler, which is a part of the master (spec/cli.md C8.58, C8.60).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// For managers. What a run finds is the pass's business; this switches passes off and on.
Answer control_scheduler(State& state, const Caller& caller, const ControlScheduler& command);

} // namespace almanac::rules
