// What a command line says that jobs are to be changed to: qalter, and qresub for a copy.
#pragma once

#include "tools/commands/context.hpp"

#include <functional>

namespace almanac {

struct AlteredJobs {
  AlterJobs jobs;
  std::string key_file; ///< -reskey; "": none
};
/// The jobs that are meant and what is to be changed of them; the error names an option and its
/// value. `given`: of alter_option_rules(), what stands in files that are named by -@ included.
Result<AlteredJobs> altered_jobs(const Context& context, const GivenOptions& given);

/// -verify: prints the jobs that are meant as they would be. Nothing is changed, and nobody is asked
/// whether it may be.
using PrintJob = std::function<void(const door::JobView& view)>;
int show_altered(Context& context, const AlterJobs& command, const PrintJob& print);

} // namespace almanac
