// qalter, and what it may change of a job.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <string>

namespace almanac {

/// Whether it may change what this option of qsub says.
bool can_be_altered(const std::string& option);

/// The request with what the options say of it.
JobRequest altered_request(const JobRequest& request, const AlterJobs& command);

namespace rules {
Answer alter_jobs(State& state, const Caller& caller, const AlterJobs& given, Instant now);
}

} // namespace almanac
