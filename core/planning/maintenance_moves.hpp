// Where reservations go when a maintenance closes hosts that they lie on (spec/beyond.md B6.3).
//
// 1. All of them are looked at on one overlay with all their shares released together, in the order of
//    their starts: each has the places that the others give up.
// 2. Slots, PE and window stay. What tasks in it hold stays where it is, but what ends before the
//    maintenance begins is replaced, and left behind until then.
// 3. What is proposed, offered or asked of the site moves as well. Of a change it is the shape that is
//    proposed; where the present one lies on the hosts, neither moves.
// 4. One that finds no place stays as it is.
#pragma once

#include "core/matching/assignment.hpp"
#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

struct ReservationMoves {
  struct Move {
    ReservationKey key;
    Assignment place;
  };
  std::vector<Move> moves;
  struct Stuck {
    ReservationKey key;
    Statement why;
  };
  std::vector<Stuck> stuck;
};

/// The shape that goes elsewhere where it moves: that which is proposed, if there is one.
const Shape& shape_to_move(const Reservation& reservation);
/// It lies there now.
void put_at(Reservation& moved, const Assignment& place);

/// `instead`: the maintenance as it was before, or nullptr.
ReservationMoves moves_off_hosts(const State& state, const Reservation& maintenance,
                                 const Reservation* instead, Instant now);
/// Where some cannot move and stay: those that move then, with all that they leave free.
ReservationMoves moves_around_stuck(const State& state, const Reservation& maintenance,
                                    const Reservation* instead, Instant now,
                                    ReservationMoves first);

} // namespace almanac::rules
