// Where in a file it is what an answer finds wrong: whoever loads a file of another cell mends many
// lines at once.
#pragma once

#include "core/answer/answer.hpp"

#include <string>

namespace almanac {

/// Adds to each refusal the line of the text that it is about, where it names an attribute or a word of
/// one. `name`: what the file is called.
void add_lines_of_file(Answer& answer, const std::string& name, const std::string& text);

} // namespace almanac
