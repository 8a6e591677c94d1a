// The audit log: each change, and the first refusals of everybody in a minute with the number of
// those that followed. Reading questions are not in it.
//
// It belongs to the process, as the general log does. Only a master has one (process/audit_file);
// in agents and in the simulator nothing is written. From any thread.
#pragma once

#include "core/answer/answer.hpp"
#include "core/base/caller.hpp"

#include <cstdint>
#include <string_view>

namespace almanac {

/// Whether there is a line of it now, to be written by write_audit().
bool audit(const Caller& caller, std::string_view request, std::string_view what,
           const Answer& answer);
/// Writes a line before it is done; false where it can't be written.
bool audit_ahead(const Caller& caller, std::string_view request, std::string_view what);
/// Many lines take one write: whoever answers several at once calls it before the first answer.
void write_audit();

void note_audit_works(bool works); ///< whether the last write has

/// Writes what was left out of minutes that are over: to be called now and then.
void audit_rests();
/// Refusals that were not written one by one since the process began.
std::int64_t audit_left_out();

} // namespace almanac
