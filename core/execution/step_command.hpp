// prolog, epilog, start and stop of a parallel environment: commands of the site before and after a
// job (spec/objects.md sections 1 and 4, spec/cli.md section 9).
#pragma once

#include "core/execution/environment.hpp"

#include <string>
#include <string_view>

namespace almanac {

/// "[user@]/path arguments". Nothing to run where `line` is empty.
struct StepCommand {
  std::string user; ///< "": the job's
  std::string line; ///< for the shell
};

/// NONE gives an empty one; the error says what is expected.
Result<StepCommand> parse_step_command(std::string_view text);

/// The line with $job_id and its like replaced by what they mean for this task.
std::string expand_step_command(const std::string& line, const Job& job, const Task& task,
                                const ExecutionPlace& place);

} // namespace almanac
