// qmod -d -e -sq -usq -cq -rq. Owners of a queue may open, close, suspend and unsuspend it; operators
// may do all of it. What is disabled may have a reason and an end (-why, -until), and be named by its host.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

class JobActions;

Answer modify_queues(State& state, const Caller& caller, const ModifyQueues& command, Instant now);
/// The same of a command for queues and jobs: what it says goes to the answer of `jobs`.
void modify_queues(State& state, const Caller& caller, const ModifyQueues& command, Instant now,
                   JobActions& jobs);

} // namespace almanac::rules
