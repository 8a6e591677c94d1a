// prolog, epilog, start and stop of a parallel environment: commands of the site before and after a
// job (spec/objects.md sections 1 and 4, spec/cli.md section 9).
//
// No shell reads them: the line is cut into words once, and what a user has written can only become
// (part of) a word.
#pragma once

#include "core/execution/environment.hpp"

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

/// The words with $job_id and its like replaced by what they mean for this task.
std::vector<std::string> expand_step_command(const std::vector<std::string>& words, const Job& job,
                                             const Task& task, const ExecutionPlace& place);

} // namespace almanac
