// What a command line says that jobs are to be changed to: qalter, and qresub for a copy.
#pragma once

#include "tools/commands/context.hpp"

namespace almanac {

/// The jobs that are meant and what is to be changed of them; the error names an option and its
/// value. `given`: of alter_option_rules(), what stands in files that are named by -@ included.
Result<AlterJobs> altered_jobs(const Context& context, const GivenOptions& given);

} // namespace almanac
