// qrsub -a asap: the earliest start at which a reservation would be granted (spec/beyond.md section
// 4).
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

namespace almanac::rules {

/// The command with a start, not before one that it has; as it is where it does not ask for one. A refusal if there is none, before the
/// given end or within a year.
Result<Reserve, Answer> with_start(const State& state, const Caller& caller, Reserve command,
                                   Instant now);

} // namespace almanac::rules
