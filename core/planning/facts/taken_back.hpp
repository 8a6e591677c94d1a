// A part of what a repaired reservation had at first, instead of what it has for it (spec/beyond.md B1.7).
#pragma once

#include "core/planning/state.hpp"

#include <functional>
#include <string>
#include <vector>

namespace almanac::rules {

/// Its grants with all that it had on the host, instead of as many slots that nothing uses, the last
/// ones first. The master's instance is the one that it is, or that it was at first. Empty where that
/// cannot be, or where it lacks nothing there.
std::vector<Grant> taken_back_on(const std::string& host, const Reservation& reservation,
                                 const std::function<bool(const InstanceName&)>& is_occupied);

} // namespace almanac::rules
