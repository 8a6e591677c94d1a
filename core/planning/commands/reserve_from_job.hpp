// qrsub -from-job: what a waiting job asks for is reserved, and the job is bound to it, both or
// neither (spec/beyond.md section 4, rules 2 to 4).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// The reservation belongs to the owner of the job, and ends with it. What is held for the job is in
/// nobody's way, and goes.
Answer reserve_from_job(State& state, const Caller& caller, const Reserve& command, Instant now);

} // namespace almanac::rules
