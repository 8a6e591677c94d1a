// Whether hooks of reservations that are to be configured would be run at all (spec/beyond.md B8.16).
#pragma once

#include "core/configuration/objects/hook_command.hpp"
#include "core/request/command.hpp"

#include <functional>
#include <string>

namespace almanac {

/// Why a hook would not be run, as things are; "" if it would.
using HookTrust = std::function<std::string(const HookCommand&)>;

/// "ar_start: /x may be written by others" of the first hook that the command sets and that would not be
/// run; "" if there is none. What can't be read as a hook is left to the core.
std::string distrusted_hook(const CommandBody& command, const HookTrust& distrust);

} // namespace almanac
