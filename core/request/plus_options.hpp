// The command lines of plus_* commands (spec/plus.md section 3).
#pragma once

#include "core/request/plus_table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// Of a command without "plus_". The error is wrong usage. With `refusal`, it was understood, and is not
/// done (P2.5, P3.1, P3.14).
Result<PlusOptions> parse_plus(std::string_view command, const std::vector<std::string>& arguments,
                               const PlusClock& clock);

/// "usage: plus_commit [options]" and a line for each option.
std::string plus_usage(std::string_view command);

/// How long something is held with -T: the site allows less (params PLUS_HOLD_TIMEOUT).
inline constexpr Duration longest_wish_to_hold{86'400};

} // namespace almanac
