// What is shown of a job's requests (qstat -r; spec/cli.md section 6.5).
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/job/job.hpp"
#include "schema/door/views.hpp"

#include <vector>

namespace almanac {

/// Resources by their full names, each with what it adds to the urgency of the job.
/// `predecessors`: those that the job still waits for.
door::JobRequestsView requests_view(const Configuration& configuration, const JobRequest& request,
                                    std::vector<JobNumber> predecessors);

} // namespace almanac
