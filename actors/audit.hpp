// The audit log: each change, and the first refusals of everybody in a minute with the number of
// those that followed. Reading questions are not in it.
//
// It belongs to the process, as the general log does. Only a master has one (process/audit_file);
// in agents and in the simulator nothing is written. From any thread.
#pragma once

#include "core/planning/decisions.hpp"

#include <cstdint>
#include <string_view>

namespace almanac {

void audit(const Caller& caller, std::string_view request, std::string_view what,
           const Answer& answer);

/// Writes what was left out of minutes that are over: to be called now and then.
void audit_rests();
/// Refusals that were not written one by one since the process began.
std::int64_t audit_left_out();

} // namespace almanac
