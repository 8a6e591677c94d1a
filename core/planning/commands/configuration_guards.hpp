// Why a change of the configuration is refused for what jobs and reservations need of the present one
// (spec/reservations.md section 10.3).
#pragma once

#include "core/planning/state.hpp"

#include <vector>

namespace almanac::rules {

/// Who refers to what is erased. Of all reasons, here and below, the first is what is answered.
std::vector<Statement> obstacles_to_erasing(const State& state,
                                            const std::vector<ConfigurationChange>& changes);

/// Why a consistent configuration is refused nevertheless. Each guard is asked for itself.
std::vector<Statement> obstacles(const State& state, const Configuration& next,
                                 const std::vector<ConfigurationChange>& changes, Instant now);

} // namespace almanac::rules
