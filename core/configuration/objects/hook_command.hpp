// The program of a hook as the configuration names it (spec/beyond.md B8.11, B8.12).
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// "[user@host]/path arguments". Nothing to run where there are no words.
struct HookCommand {
  std::string user, host; ///< "": the master's user, on its host
  std::vector<std::string> words;
};

/// NONE gives an empty one; the error says what is expected.
Result<HookCommand> parse_hook_command(std::string_view text);

} // namespace almanac
