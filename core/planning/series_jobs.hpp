// Jobs that wait for a series: each is bound to one occurrence at a time (spec/beyond.md B5.404).
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// Those whose occurrence is over, and of which nothing runs, wait for the next one; they go with the
/// series.
void bind_to_next(State& state, Instant now);

/// An occurrence was granted late: those that wait for a later one may have it.
void bind_to_earlier(State& state, ReservationNumber series, Instant now);

/// The rest of a series is one of its own: those that wait for the series that ends before wait for that
/// one from now on, each still for the occurrence that it is bound to.
void follow_rest(State& state, ReservationNumber ended, ReservationNumber rest, Instant now);

} // namespace almanac::rules
