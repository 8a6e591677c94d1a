// Statements in Grid Engine's words.
#pragma once

#include "core/answer/answer.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac::gridengine {

/// With {names} of details in it; a sentence may have several lines. Empty where there is none.
std::string_view sentence_of(AnswerCode code);

/// In words; of an unknown code, its details.
std::string text_of(const Statement& statement);

/// The lines of an answer, in their order; of one without statements, those that it came with.
std::vector<Line> lines_of(const Answer& answer);

/// The first of them, as the reason of a refusal; "" where nothing is said.
std::string first_line_of(const Answer& answer);

/// For those who read no statements.
Answer with_lines(Answer answer);

} // namespace almanac::gridengine
