// Jobs whose user waits for them: qrsh and qlogin (spec/cli.md section 10).
#pragma once

#include "tools/commands/context.hpp"

#include <string>

namespace almanac {

/// What differs between the two.
struct InteractiveProgram {
  std::string usage;      ///< the lines above those of the options
  std::string shell_name; ///< of a job without a command
  bool takes_command = false;
  bool is_verbose = false; ///< without -verbose, too
};

/// Submits a job, waits for its place, and is its near end; the exit status is that of the job.
int run_interactive(Context& context, const InteractiveProgram& program);

} // namespace almanac
