// What a half-typed command of the console may go on with.
#pragma once

#include "tools/commands/context.hpp"

#include <string>
#include <vector>

namespace almanac::console {

/// Words that begin with `begun`, behind the words that stand before it.
std::vector<std::string> completions(Context& context, const std::vector<std::string>& before,
                                     const std::string& begun);

} // namespace almanac::console
