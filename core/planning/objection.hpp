// The answer to a command that is not valid, in the words of the tool that sends it.
#pragma once

#include "core/planning/decisions.hpp"

#include <optional>

namespace almanac {

/// Nothing if the command can be worked with.
std::optional<Answer> objection(const CommandBody& body);
/// The same with who sends it, who is stored with what comes of it.
std::optional<Answer> objection(const Command& command);

} // namespace almanac
