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

} // namespace almanac::rules
