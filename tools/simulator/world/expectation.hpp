// What a scenario expects a command to print, and what it expects once that has changed.
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Whether the lines are as expected: '*' stands for any text within a line, "..." for any lines.
bool all_fit(const std::vector<std::string>& expected, const std::vector<std::string>& lines);

/// What to expect instead, so that the lines fit: what fits at the beginning and at the end stays
/// as it is written, what lies between becomes the lines themselves. An error where that would take
/// "..." away: which lines it is to stand for only a person can say.
Result<std::vector<std::string>> rewritten(const std::vector<std::string>& expected,
                                           const std::vector<std::string>& lines);

} // namespace almanac
