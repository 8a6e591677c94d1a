// Whether hooks of reservations, or a JSV, that are to be configured would be run at all
// (spec/beyond.md B8.16).
#pragma once

#include "core/configuration/objects/hook_command.hpp"
#include "core/configuration/objects/reservation_hooks.hpp"
#include "core/request/command.hpp"

#include <functional>
#include <string>

namespace almanac {

/// Why a hook would not be run, as things are; "" if it would.
using HookTrust = std::function<std::string(const HookCommand&)>;

/// "ar_start: /x may be written by others" of the first hook that the command changes and that would not
/// be run; "" if there is none. qconf sends what it leaves alone, too: that is not looked at, so that a
/// program that vanished hinders no other change. What can't be read as a hook is left to the core.
std::string distrusted_hook(const CommandBody& command, const ReservationHooks& in_force,
                            const HookTrust& distrust);

/// Why a JSV would not be started, as things are; "" if it would.
using JsvTrust = std::function<std::string(const std::string& url)>;

/// The same of jsv_url. Without `distrust` none can be started at all.
std::string distrusted_jsv(const CommandBody& command, const std::string& in_force,
                           const JsvTrust& distrust);

} // namespace almanac
