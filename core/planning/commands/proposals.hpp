// What is proposed for a reservation: whether it may be asked for, and the shape that was found.
#pragma once

#include "core/planning/state.hpp"

#include <optional>

namespace almanac::rules {

/// Everything that can be said before looking for capacity.
std::optional<Answer> simple_obstacle(const State& state, const Caller& caller,
                                      const ReservationRequest& request, bool is_new);

/// A place for a new reservation or a new shape; `own` is set free for the search.
struct Prepared {
  std::optional<Answer> refusal;
  Shape shape;
  bool on_unhealthy = false;
};
Prepared find_shape(State& state, const Caller& owner, const ReservationRequest& request,
                    const Reservation* own, Instant now);

/// A new reservation of which nothing but this is proposed: its key.
ReservationKey add_held(State& state, const Caller& caller, const ReservationRequest& request,
                        Proposal proposal, Instant now);

} // namespace almanac::rules
