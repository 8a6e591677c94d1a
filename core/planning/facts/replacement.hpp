// What a reservation gets for what it has lost (spec/beyond.md B1.1 to B1.4).
//
// 1. What is healthy stays as it is.
// 2. Its own spare hosts are taken first, then free capacity in the order of a grant, then what is
//    held for waiting jobs.
// 3. Where the allocation rule does not want all of it together, a part is better than nothing.
#pragma once

#include "core/matching/assignment.hpp"
#include "core/planning/facts/spare_occupants.hpp"
#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

struct Replacement {
  Assignment whole; ///< what it has then: what was kept, what was found, and what stays lost
  std::vector<Grant> found, replaced;
  std::int64_t still_lost = 0;        ///< slots
  bool over_holds = false;            ///< of waiting jobs, which have to move
  std::vector<Statement> obstacles{}; ///< where nothing was found

  bool any() const { return !found.empty(); }
};

/// `window`: what is to come of that of the reservation. `kept` and `lost` are its grants. Those who are
/// on its spare hosts have to give way then.
Replacement find_replacement(State& state, const Reservation& reservation, const Demand& demand,
                             Window window, const std::vector<Grant>& kept,
                             const std::vector<Grant>& lost, const SpareOccupants& on_spares);

/// Books what would be left behind if the reservation had these grants, while that is looked for.
void book_left_behind(State& state, const Reservation& reservation, const Assignment& next,
                      Unbooked& looking);

/// Of what it has, what is on hosts that are lost.
std::vector<Grant> lost_grants(const State& state, const Reservation& reservation);

/// Each instance once.
std::vector<Grant> merged(std::vector<Grant> first, const std::vector<Grant>& second);

} // namespace almanac::rules
