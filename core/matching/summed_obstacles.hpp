// On a cluster of a hundred hosts most reasons are the same one, a line for each host. People are
// told some of them, and how many more there are.
#pragma once

#include "core/matching/obstacles.hpp"

#include <vector>

namespace almanac {

/// Of more than four statements that differ only in the queue instance or the host that they name,
/// three stay, and one more counts the others and names the last of these. Those on hosts that the
/// request does not name are one statement. Each stands where the first of its kind stood.
std::vector<Statement> summed_up(const std::vector<Statement>& obstacles);
/// Who asked for all of them in full gets them.
std::vector<Statement> summed_up(const Obstacles& obstacles);

} // namespace almanac
