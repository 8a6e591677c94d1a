// qrsub -offer: what is requested, or else the first alternative, is booked for a few minutes, until
// its user accepts it (spec/beyond.md section 3, rules 3 to 6). An accept is the commit of
// transactions.hpp.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// Nothing is changed by a refusal. Limits of a user (exit 25) do not count for managers.
Answer offer(State& state, const Caller& caller, const Reserve& asked, Instant now);

} // namespace almanac::rules
