// prolog, epilog, start and stop of a parallel environment: commands of the site before and after a
// job (spec/objects.md sections 1 and 4). No shell reads them: the line is cut into words once.
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// "[user@]/path arguments". Nothing to run where there are no words.
struct StepCommand {
  std::string user; ///< "": the job's
  std::vector<std::string> words;
};

/// NONE gives an empty one; the error says what is expected.
Result<StepCommand> parse_step_command(std::string_view text);

} // namespace almanac
