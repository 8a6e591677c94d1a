// Reservations that preempt: ordinary jobs may run on their hosts until they begin, and give way
// then (spec/plus.md section 5).
//
// 1. From the start on its share is closed to others. Those in its way are told to end at once: on
//    whole hosts all of them, else the youngest ones, as many as it takes.
// 2. They wait again under their number, but for interactive ones and, with PLUS_NORERUN=kill,
//    those that may not run again.
// 3. It begins once the last of them has ended, or is on a host that cannot be reached; at the
//    latest after longest_giving_way. Who is still there then is killed.
// 4. If it goes before it begins, they end all the same, in their own time.
#pragma once

#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// What is held for waiting jobs in its window finds other places in the next pass. Of a
/// reservation that does not preempt nothing is.
void move_holds_away(State& state, ReservationKey key);

/// Its start has come: others on its share are told to end. True if it has to wait for them.
bool make_room(State& state, ReservationKey key, Instant now);

/// It has another place or another start: others in its new place are told to end, if it has begun
/// or waits for others, and those get no more time than before. Unless it starts later now.
void place_changed(State& state, ReservationKey key, Instant now);

/// A task that gave way has left its place: each reservation begins for which that was the last
/// one.
void gave_way(State& state, const std::vector<ReservationKey>& to);

/// The reservation begins. Tasks that are still there are killed; until now they were only asked to
/// end.
void await_none(State& state, ReservationKey key);

/// Nobody waits for tasks on a host that cannot be reached.
void await_none_on(State& state, const std::string& host);

} // namespace almanac::rules
