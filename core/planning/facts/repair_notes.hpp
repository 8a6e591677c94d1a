// What people are told of a repair: as a note of the reservation, and by mail.
#pragma once

#include "core/planning/facts/replacement.hpp"

#include <string>

namespace almanac::rules {

/// Of one that has got the replacement, or has given back a part of what it had got: all that is replaced
/// by now, and by what, or how much of it; and what that lacks for a while, because tasks that were left
/// behind have it (spec/beyond.md B1.24).
std::string note_of(const State& state, const Reservation& reservation,
                    const Replacement& replacement);

/// Why nothing was found for what is lost, or how much of it was found before.
Statement why_not(const State& state, const Reservation& reservation, const Demand& demand,
                  const std::vector<Grant>& lost, std::vector<Statement> obstacles);

} // namespace almanac::rules
