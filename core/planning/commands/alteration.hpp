// qalter, and what it may change of a job.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <optional>
#include <string>

namespace almanac::rules {

/// The first option that says nothing that may be changed: the names come as the caller wrote them.
std::optional<Statement> option_obstacle(const AlterJobs& command);
/// -q R<id> is -ar id, as in qsub.
AlterJobs with_queue_read(const Snapshot& state, AlterJobs command);
/// What a JSV that is in force leaves to nobody (jsv_url and jsv_allowed_mod of sge_conf(5)).
std::optional<Statement> jsv_obstacle(const GlobalConfiguration& global, const AlterJobs& command);
Answer alter_jobs(State& state, const Caller& caller, const AlterJobs& given, Instant now);

} // namespace almanac::rules
