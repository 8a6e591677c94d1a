// Reservations of whole hosts when these become larger: nobody else gets what is new there (spec/plus.md
// P3.20, P5.7).
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// The configuration is another one: they have all slots and amounts that their hosts have now.
void follow_whole_nodes(State& state);

} // namespace almanac::rules
