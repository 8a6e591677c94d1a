// A job that is only asked for, in the lines of qstat -j (-verify of qsub, qrsh and qlogin, spec/cli.md
// C3.48).
#pragma once

#include "core/job/job_request.hpp"
#include "tools/commands/context.hpp"

#include <iosfwd>
#include <string>

namespace almanac {

/// As that user would submit it; what only the master knows has no line.
void print_request(std::ostream& out, const JobRequest& request, const std::string& user);
/// The answer to -verify: the job, or what a master would refuse in it. Returns the exit code.
int show_request(Context& context, const JobRequest& request);

} // namespace almanac
