// One line of the audit log: who wanted what, from where, and what came of it.
//
// 1. Whatever the caller writes stays within its quotes and within the line: quotes and backslashes
//    are escaped, control characters are shown as \xHH.
// 2. A line has less than a kilobyte, its time included: long texts are cut.
#pragma once

#include "core/answer/answer.hpp"
#include "core/base/caller.hpp"

#include <string>
#include <string_view>

namespace almanac {

/// Without the time, which whoever writes the line knows.
std::string audit_line(const Caller& caller, std::string_view request, std::string_view what,
                       const Answer& answer);
/// The same before it is done, so that nothing is done of which there is no line.
std::string audit_line_ahead(const Caller& caller, std::string_view request, std::string_view what);

/// On whose account a refusal is: the user, or the host where nobody is known.
std::string audited_taker(const Caller& caller);
/// So many more of a taker's refusals than were written one by one.
std::string audit_line_of_rest(std::string_view taker, std::int64_t count);

} // namespace almanac
