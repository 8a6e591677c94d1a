// What qalter and qresub make of a job's request.
#pragma once

#include "core/request/command.hpp"

namespace almanac {

/// The request with what the options say of it, which have no obstacle.
JobRequest altered_request(const JobRequest& request, const AlterJobs& command);

} // namespace almanac
