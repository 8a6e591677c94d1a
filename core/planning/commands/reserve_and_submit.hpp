// qsub -reserve: a reservation and a job in it, both or neither (spec/reservations.md section 1,
// goal 12).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// What the job asks for is reserved from its -a on, or from now on; the reservation ends with the
/// job. A refusal takes no id, whichever of both it is of.
Answer reserve_and_submit(State& state, const Caller& caller, const Submit& command, Instant now);

} // namespace almanac::rules
