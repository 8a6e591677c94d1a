// Whom a job waits for: -hold_jid and, task by task, -hold_jid_ad (spec/cli.md C3.24, C3.25).
#pragma once

#include "core/answer/statement.hpp"
#include "core/planning/state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac::rules {

/// The jobs that ids, names and patterns mean, names those of `owner` only. What has finished, or
/// never was, is nothing to wait for.
Result<std::vector<JobKey>, Statement> resolve_predecessors(const State& state, const Caller& owner,
                                                            const std::vector<std::string>& names);

/// The same for a job that is there: a name or a pattern that means it, too, means the others. An
/// error where it would wait for itself, through others or not.
Result<std::vector<JobKey>, Statement> new_predecessors(const State& state, const Job& job,
                                                        const std::vector<std::string>& names);

/// Of -hold_jid_ad: the job and those that are named have to be arrays with the same range.
Result<std::vector<JobKey>, Statement> array_predecessors(const State& state, const Caller& owner,
                                                          const JobRequest& request);
/// The same for a job that is there, which would then be as `request` says.
Result<std::vector<JobKey>, Statement> new_array_predecessors(const State& state, const Job& job,
                                                              const JobRequest& request);

} // namespace almanac::rules
