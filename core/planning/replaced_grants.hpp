// What a reservation has for what it had, in words (spec/beyond.md B1.4, B1.9).
#pragma once

#include "core/answer/statement.hpp"
#include "core/job/grant.hpp"

#include <vector>

namespace almanac::rules {

std::vector<Statement> listed(const std::vector<Grant>& grants);

/// What they have more than the others.
std::vector<Grant> without(std::vector<Grant> grants, const std::vector<Grant>& others);

/// What was found for what is lost, or that nothing was.
Statement replacement_of(const std::vector<Grant>& lost, const std::vector<Grant>& found);

} // namespace almanac::rules
