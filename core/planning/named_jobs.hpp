// Jobs that wait for a reservation by its name as a queue, R<id> (spec/plus.md P5.1, P5.2).
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// The reservation of this number is granted: those that wait for it, may use it and fit into it are
/// bound to it, as -ar would bind them. The others wait on.
void bind_named_jobs(State& state, ReservationNumber number, Instant now);

} // namespace almanac::rules
