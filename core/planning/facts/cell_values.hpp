// What load sensors say of the whole cell ("global:licenses:5"), kept in the record of the host
// "global", which has no machine.
#pragma once

#include "core/planning/state.hpp"

#include <string>
#include <vector>

namespace almanac::rules {

/// What a host says of the cell now; `said` may have values of the host itself, too. What it said before
/// and does not say now is gone, and so is what hosts said that are not in the cell any more.
void follow_cell_values(State& state, const std::string& host, const std::vector<LoadValue>& said);

} // namespace almanac::rules
