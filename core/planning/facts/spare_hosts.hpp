// The spare hosts of a reservation after the grant (spec/beyond.md B1.106).
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// Those on hosts that are granted by now.
void drop_used_spares(Shape& shape);

/// Other hosts take the place of spare hosts that are used or lost, as far as there are any. Nobody
/// is told.
void replenish_spares(State& state, ReservationKey key, Instant now);

} // namespace almanac::rules
