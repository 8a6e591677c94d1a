// qalter, and what it may change of a job.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <optional>
#include <string>

namespace almanac {

/// Whether it may change what this option of qsub says.
bool can_be_altered(const std::string& option);

/// The request with what the options say of it.
JobRequest altered_request(const JobRequest& request, const AlterJobs& command);

namespace rules {
/// What a JSV that is in force leaves to nobody (jsv_url and jsv_allowed_mod of sge_conf(5)).
std::optional<Statement> jsv_obstacle(const GlobalConfiguration& global, const AlterJobs& command);

Answer alter_jobs(State& state, const Caller& caller, const AlterJobs& given, Instant now);
} // namespace rules

} // namespace almanac
