// Calendars.
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// Opens and closes the instances whose calendar has turned; true if any did.
bool keep_hours(State& state, Instant now);

} // namespace almanac::rules
