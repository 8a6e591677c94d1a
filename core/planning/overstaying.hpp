// What is still held of a reservation that begins.
#pragma once

#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

/// Warnings of what others that are past their time still hold of it: its jobs wait for it
/// (spec/reservations.md R10.10). Ten at the most.
std::vector<Statement> overstaying(const State& state, ReservationKey key, Instant now);

} // namespace almanac::rules
