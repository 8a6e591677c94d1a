// Why a job waits.
#pragma once

#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// In sentences, with numbers (qstat -j).
std::vector<std::string> explain(const State& state, const Job& job, Instant now);

/// With what it would start now: the longest run time, the most slots. Each comes true when it is
/// submitted in the same state.
std::vector<std::string> alternatives(const State& state, const Job& job, Instant now);

} // namespace almanac::rules
