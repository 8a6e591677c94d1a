// qresub: jobs are submitted once more (spec/cli.md C4.30).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// The copies belong to the caller, wait for what the originals were to wait for, and are not held.
Answer resubmit(State& state, const Caller& caller, const ResubmitJobs& command, Instant now);

} // namespace almanac::rules
