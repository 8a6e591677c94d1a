// Jobs that wait for a series: each is bound to one occurrence at a time (spec/beyond.md B5.404).
//
// A job that names a series means its occurrences, and those of what was made a series of its own of its
// rest, once or several times: it waits for the first of all that it fits into.
#pragma once

#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

/// Those whose occurrence is over, and of which nothing runs, wait for the next one; they go with the
/// series.
void bind_to_next(State& state, Instant now);

/// Occurrences were granted or moved: those that wait for a later one may have them.
void bind_to_earlier(State& state, ReservationNumber series, Instant now);

/// All that may come into an occurrence of the series, also those that wait for one of another; not those
/// that name a single one.
std::vector<JobKey> jobs_waiting_for(const State& state, const Series& series);

} // namespace almanac::rules
