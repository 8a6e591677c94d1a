// qdel.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

Answer delete_jobs(State& state, const Caller& caller, const DeleteJobs& command, Instant now);

} // namespace almanac::rules
