// What jobs and reservations refer to, and so cannot go or change.
#pragma once

#include "core/planning/state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac::rules {

/// Why the object can't be deleted yet; nothing if nobody refers to it.
std::optional<Statement> reference_to(const State& state, ObjectKind kind, const std::string& name);

/// Guards G5, G8 to G10 and G12: why a PE or a type can't leave a queue,
/// or a user or project lose the way in.
std::optional<Statement> lost_access(const State& state, const Configuration& next,
                                     const std::vector<ConfigurationChange>& changes);

/// Why complexes can't go or mean something else, as they would in `next`.
std::optional<Statement> changed_meaning(const State& state, const Configuration& next);

} // namespace almanac::rules
