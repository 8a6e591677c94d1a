// What is said to who reserved and was granted it.
#pragma once

#include "core/planning/state.hpp"

namespace almanac::rules {

struct GrantDetails {
  bool was_asap = false;     ///< its start was not given
  bool on_unhealthy = false; ///< what is wrong with its instances is told
};
/// With its start, where who asked does not know it, and warnings of what is not as expected.
Answer granted_answer(const State& state, const Reservation& reservation,
                      const GrantDetails& details);

/// What is said of a reservation that came to nothing: a number that nobody got is none to name
/// (spec/beyond.md B0.31).
void leave_out_number(std::vector<Statement>& statements, ReservationNumber number);

} // namespace almanac::rules
