// What the words of prolog, epilog and methods mean for a task, and those of the commands of
// parallel and checkpointing environments (spec/objects.md sections 1 and 4, spec/cli.md section
// 9). What a user has written can only become (part of) a word.
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

/// The words with $job_id and its like replaced by their values for this task; `more` comes first.
std::vector<std::string> expand_step_command(const std::vector<std::string>& words, const Job& job,
                                             const Task& task, const TaskSite& place,
                                             StepValues more = {});

/// A command of the site that runs as the job's owner.
ShepherdProcess as_owner(std::vector<std::string> words, const std::string& directory);

} // namespace almanac
