// What a reservation by hosts gets for hosts that it has lost: whole hosts again, all of them or none.
#pragma once

#include "core/planning/facts/replacement.hpp"

namespace almanac::rules {

/// As find_replacement(), which asks it. A host is lost with the first of its granted instances.
Replacement find_node_replacement(State& state, const Reservation& reservation,
                                  const Demand& demand, Window window,
                                  const std::vector<Grant>& lost);

} // namespace almanac::rules
