// What a refused reservation could be instead: later, earlier, shorter, with fewer slots, elsewhere
// (spec/beyond.md section 3, rules 1 and 2).
//
// Each changes one thing, and would be granted in the same state. A place is looked for once in each
// look.
#pragma once

#include "core/planning/question.hpp"
#include "core/planning/questions/answering.hpp"
#include "core/planning/state.hpp"

#include <memory>

namespace almanac::rules {

/// Nothing is said of a request that is refused whatever its time and place.
std::unique_ptr<Answering> alternatives(const State& state, const VerifyReserve& asked,
                                        Instant now);

} // namespace almanac::rules
