// Reservations that end when nothing has used them for a while (spec/beyond.md section 7, rules 4
// and 5).
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// After an input: since when those that it touched are idle. It stands in their records.
void mind_idle(State& state, Instant now);

/// The master was away, and nobody could submit anything: the time begins anew.
void restart_idle(State& state, Instant now);

} // namespace almanac::rules
