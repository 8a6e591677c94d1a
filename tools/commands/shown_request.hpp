// A job that is only asked for, in the lines of qstat -j (qsub -verify, spec/cli.md C3.48).
#pragma once

#include "core/job/job_request.hpp"

#include <iosfwd>
#include <string>

namespace almanac {

/// As that user would submit it; what only the master knows has no line.
void print_request(std::ostream& out, const JobRequest& request, const std::string& user);

} // namespace almanac
