// Statements in the words of plus_* commands (spec/plus.md): R123, nodes, held operations. What they do
// not call otherwise is said as Grid Engine's commands say it.
#pragma once

#include "core/answer/answer.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac::plus {

/// With {names} of details in it; "" where there is none, in Grid Engine's words either.
std::string_view sentence_of(AnswerCode code);

/// In words; of an unknown code, its details.
std::string text_of(const Statement& statement);

/// What a person is told who was refused, and warnings: a text for each, of one line. What such a command
/// has to say itself (a grant, a number) is no part of it.
std::vector<std::string> troubles_of(const Answer& answer);

} // namespace almanac::plus
