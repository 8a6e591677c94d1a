// Calendars, and what is disabled until a time.
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// Opens and closes the instances whose calendar has turned, and enables those whose drain has
/// ended; true if any did.
bool keep_hours(State& state, Instant now);

} // namespace almanac::rules
