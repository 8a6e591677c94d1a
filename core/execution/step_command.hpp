// prolog, epilog, methods, start and stop of a parallel environment, commands of a checkpointing environment: what their words mean for a task
// (spec/objects.md sections 1 and 4, spec/cli.md section 9). What a user has written can only become
// (part of) a word.
#pragma once

#include "core/execution/environment.hpp"
#include "core/execution/shepherd_order.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace almanac {

/// More that a command may name, without the $.
using StepValues = std::map<std::string, std::string, std::less<>>;

/// The words with $job_id and its like replaced by what they mean for this task; `more` counts first.
std::vector<std::string> expand_step_command(const std::vector<std::string>& words, const Job& job,
                                             const Task& task, const TaskSite& place,
                                             StepValues more = {});

/// A command of the site that runs as the job's owner.
ShepherdProcess as_owner(std::vector<std::string> words, const std::string& directory);

} // namespace almanac
