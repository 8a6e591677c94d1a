// The environment of a job's process, and where its output goes (spec/cli.md section 9).
#pragma once

#include "core/job/job.hpp"

#include <string>
#include <vector>

namespace almanac {

/// What the host knows that the job's record does not.
struct ExecutionPlace {
  std::string host;
  std::string home, shell;     ///< of the user, on this host
  std::string spool;           ///< of this task
  std::string tmpdir;          ///< made for this task
  std::string pe_hostfile;     ///< "" for a job without parallel environment
  std::string agent_directory; ///< where tools find the agent's door
  std::string binary_directory;
  std::string cell, arch;
};

/// In the order of the specification; a name appears once. LD_* of the user are kept for the job
/// alone.
std::vector<Attribute> job_environment(const Job& job, const Task& task,
                                       const ExecutionPlace& place);

/// A line of PE_HOSTFILE for each grant, the master's host first.
std::string pe_hostfile(const Task& task);

/// The path of -o or -e with its pseudo variables replaced, or "" for the default.
std::string expand_path(const std::string& path, const Job& job, const Task& task,
                        const ExecutionPlace& place);
/// "name.o12" or "name.o12.3"; `kind` is 'o' or 'e'.
std::string default_output_name(const Job& job, const Task& task, char kind);
/// The directory in which the job runs: -cwd, -wd, or the user's home.
std::string working_directory(const Job& job, const ExecutionPlace& place);

} // namespace almanac
