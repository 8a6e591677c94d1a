// What somebody wants to be done, in a few words: "deletes jobs 7".
#pragma once

#include "core/request/command.hpp"

#include <string>

namespace almanac {

std::string in_words(const CommandBody& command);

} // namespace almanac
