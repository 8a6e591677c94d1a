// What is wrong with reserved instances, and who is told.
#pragma once

#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// Recomputes what is wrong with reserved instances, after hosts or instances changed.
void refresh_reservation_health(State& state);

/// The same after something has changed on this host only. How many were looked at.
std::size_t refresh_reservation_health(State& state, const std::string& host);

/// Notes what is wrong with a reservation now, and who is to be told.
void note_health(State& state, ReservationKey key, std::vector<std::string> bad);

} // namespace almanac::rules
