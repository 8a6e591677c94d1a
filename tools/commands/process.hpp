// A command as a process: its streams, its folder, its user, its environment.
#pragma once

#include "tools/commands/context.hpp"

#include <string>
#include <vector>

namespace almanac {

/// The variables of this process.
std::vector<Attribute> own_environment();

/// Runs the command; its exit code. Whatever goes wrong on the way is printed.
int run_as_process(const std::string& program, std::vector<std::string> arguments,
                   CommandFunction command);

} // namespace almanac
