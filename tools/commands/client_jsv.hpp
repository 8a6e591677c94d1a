// The JSVs that a client asks before it sends a job: those of -jsv, on the command line, in the script
// and in request files (sge_submit(1), jsv_script_interface(3)).
//
// 1. The one of the command line is asked first, that of the cell's request file last; each sees what
//    those before it made of the job.
// 2. They run as the user, in the folder where the command is called. What they log is printed.
#pragma once

#include "core/request/submit_options.hpp"
#include "tools/commands/context.hpp"

namespace almanac {

/// Makes of the request what they want. The error is why the job is not to be sent.
Outcome ask_client_jsvs(Context& context, SubmitOptions& options);

/// As qsub tells of a job that is not sent; the exit code.
int tell_rejection(Context& context, const std::string& why);

} // namespace almanac
