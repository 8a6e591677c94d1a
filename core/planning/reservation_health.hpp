// What is wrong with reserved instances, and who is told.
#pragma once

#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// Whether what was granted there can't be used: its host is unknown, the instance is in error,
/// disabled by qmod or gone. Not one that is suspended or ambiguous: what runs there lives.
bool is_lost(const State& state, const InstanceName& instance);
/// What it loses is replaced where that can be done: as it asks for, else as the site does.
bool wants_repair(const State& state, const Reservation& reservation);
/// A part of it is lost, and other capacity is looked for.
bool is_to_be_repaired(const State& state, const Reservation& reservation);

/// Recomputes what is wrong with reserved instances, after hosts or instances changed.
void refresh_reservation_health(State& state);

/// The same after something has changed on this host only. How many were looked at.
std::size_t refresh_reservation_health(State& state, const std::string& host);

/// Notes what is wrong with a reservation now, and who is to be told.
void note_health(State& state, ReservationKey key, std::vector<std::string> bad);

} // namespace almanac::rules
