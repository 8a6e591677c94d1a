// qmod -d -e -sq -usq -cq -rq. Owners of a queue may open, close, suspend and unsuspend it; operators
// may do all of it.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

Answer modify_queues(State& state, const Caller& caller, const ModifyQueues& command);

} // namespace almanac::rules
