// Why a job waits.
#pragma once

#include "core/answer/statement.hpp"
#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

/// With numbers (qstat -j).
std::vector<Statement> explain(const State& state, const Job& job, Instant now);

/// With what it would start now: the longest run time, the most slots. Each comes true when it is
/// submitted in the same state.
std::vector<Statement> alternatives(const State& state, const Job& job, Instant now);

} // namespace almanac::rules
