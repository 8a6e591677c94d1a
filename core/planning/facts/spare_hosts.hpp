// The spare hosts of a reservation after the grant (spec/beyond.md B1.106).
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

/// Whether what was granted there can't be used: its host is unknown, the instance is in error,
/// disabled by qmod or gone. Not one that is suspended or ambiguous: what runs there lives.
bool is_lost(const State& state, const InstanceName& instance);

/// Those on hosts that are granted by now.
void drop_used_spares(Shape& shape);

/// Other hosts take the place of spare hosts that are used or lost, as far as there are any. Nobody
/// is told.
void replenish_spares(State& state, ReservationKey key, Instant now);

} // namespace almanac::rules
