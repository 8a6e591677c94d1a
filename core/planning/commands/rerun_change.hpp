// qalter -r of a job that runs: what its tasks hold outside of reservations follows. On a spare host of a
// reservation they have to give way, so none of them can be made one that does not (spec/beyond.md B1.103).
#pragma once

#include "core/planning/state.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace almanac::rules {

/// Tasks that run and can be run again with the new request, or cannot any more.
std::vector<std::int64_t> with_other_rerun(const State& state, const Job& job,
                                           const JobRequest& next);

/// Why they have to stay as they are; nothing if they need not.
std::optional<Statement> rerun_obstacle(const State& state, JobKey key,
                                        const std::vector<std::int64_t>& tasks, Instant now);

void change_rerun(State& state, JobKey key, const std::vector<std::int64_t>& tasks);

} // namespace almanac::rules
