// What a record keeps of a statement: its text, in Grid Engine's words. Reasons, notes, causes and
// letters are stored so; nothing else of the planner puts a statement into words.
#pragma once

#include "core/answer/statement.hpp"

#include <string>
#include <vector>

namespace almanac {

std::string stored_text(const Statement& statement);
std::vector<std::string> stored_texts(const std::vector<Statement>& statements);

} // namespace almanac
