// What scenarios say to change a reservation in two phases, for which there is no command yet:
//
//     prepare NAME SECONDS [key|change|cancel|destroy NUMBER] [preempts] [-nodes N [-node-slots K]]
//             [options of qrsub]
//     commit NAME NUMBER                 abort NAME NUMBER
//     give-up cancel|destroy ID...
#pragma once

#include "core/request/command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// Nothing if the words do not begin so; else what they ask for, or what is wrong with them.
std::optional<Result<CommandBody>> transaction_line(const std::vector<std::string>& words,
                                                    Instant now);

} // namespace almanac
