// What somebody wants to be done, in a few words: "deletes jobs 7". And what any input says.
#pragma once

#include "core/planning/input.hpp"

#include <string>

namespace almanac {

std::string in_words(const CommandBody& command);
std::string in_words(const Input& input);

} // namespace almanac
