// What the planner says, in Grid Engine's words. Records keep reasons, notes and causes as text, and
// what the journal has is shown as text; everything else leaves the planner as statements.
#pragma once

#include "core/answer/statement.hpp"

#include <string>
#include <vector>

namespace almanac {

std::string text_of(const Statement& statement);
std::vector<std::string> texts_of(const std::vector<Statement>& statements);

} // namespace almanac
