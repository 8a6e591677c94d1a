// What jobs and reservations refer to, and so cannot go or change.
#pragma once

#include "core/matching/obstacles.hpp"
#include "core/planning/state.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace almanac::rules {

/// Of jobs that stand in the way no more are looked for: there may be very many.
inline constexpr std::size_t most_reasons = 100;

/// Why the object can't be deleted yet: who refers to it.
void add_references(const State& state, ObjectKind kind, const std::string& name,
                    Obstacles& obstacles);

/// Guards G2, G5, G6, G8 to G10 and G12: why a PE, a checkpointing environment or a type can't leave a
/// queue, a user or a project lose the way in, or a value change that was requested. One reason for
/// each reservation.
void add_lost_access(const State& state, const Configuration& next,
                     const std::vector<ConfigurationChange>& changes, Obstacles& obstacles);

/// Why complexes can't go or mean something else, as they would in `next`.
void add_changed_meaning(const State& state, const Configuration& next, Obstacles& obstacles);

} // namespace almanac::rules
