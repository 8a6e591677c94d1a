// Tasks on hosts that cannot be reached, in a reservation that is shortened by force: nobody tells them
// of it, so what they hold stays booked as left behind until their old limit (spec/beyond.md B11.21).
#pragma once

#include "core/matching/changed_places.hpp"
#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// The first host of the task that cannot be reached; nullptr if all can.
const std::string* out_of_reach(const State& state, const Task& task);

/// A place after a change, beside what those tasks hold: as large as is asked for, else what it has
/// without their share. Where there is neither it is as if all could be told.
Found find_place_beside_share(const State& state, const Reservation& own, const Demand& demand,
                              Window window, Instant now, const std::vector<Grant>& pinned);

/// What is taken back once those hosts are heard, where that shape does without their share: what was
/// granted at first. Empty where the share stays, or other slots are asked for.
std::vector<Grant> original_beside_share(const State& state, const Reservation& own,
                                         const ReservationRequest& request, const Shape& next);

/// What is left behind with that shape: what was before, and what those tasks hold beyond it.
std::vector<LeftBehind> left_with_share(const State& state, const Reservation& reservation,
                                        const Shape& next);

/// Tasks of what was left behind that can be told by now end with the reservation, too, where it got
/// shorter meanwhile. Their owners hear of it, whatever -m says (spec/beyond.md B12.31).
void cut_what_was_left(State& state, const Reservation& reservation, Instant now);

} // namespace almanac::rules
