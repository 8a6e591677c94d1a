// The environment of a job's process, and where its output goes (spec/cli.md section 9).
#pragma once

#include "core/execution/variables.hpp"
#include "core/job/job.hpp"
#include "core/job/output_places.hpp"
#include "core/job/task.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// What the host knows that the job's record does not.
struct TaskSite {
  std::string host;
  std::string home, shell;     ///< of the user, on this host
  std::string spool;           ///< of this task
  std::string tmpdir;          ///< made for this task
  std::string pe_hostfile;     ///< "" for a job without parallel environment
  std::string agent_directory; ///< where tools find the agent's door
  std::string binary_directory;
  std::string cell, arch;
};

/// Whom a command of the site runs as, where that is not the job's user.
struct StepUser {
  std::string name, home, shell;
};

/// In the order of the specification; a name appears once. With all that the user exports, LD_* and
/// names that are no identifiers included: for the job's own process alone.
std::vector<Attribute> job_environment(const Job& job, const Task& task, const TaskSite& place);
/// Whether a command of the site that runs as the job's user has this variable of it, too: those
/// with plain names, but for PATH and what makes a loader or a shell do something else.
bool is_for_own_steps(std::string_view name);
/// The environment of a command of the site that runs as somebody else: nothing in it has been
/// written by the job's user.
std::vector<Attribute> foreign_step_environment(const Job& job, const Task& task,
                                                const TaskSite& place, const StepUser& user);

/// A line of PE_HOSTFILE for each grant, the master's host first, with what the queue of each says of
/// its processors ("" or none: UNDEFINED).
std::string pe_hostfile(const Task& task, const std::vector<std::string>& processors = {});

/// One path of -o or -e with its pseudo variables replaced, or "" for the default. What gets longer
/// than any path may be is cut to one that nothing can be opened by.
std::string expand_path(const std::string& path, const Job& job, const Task& task,
                        const TaskSite& place);
/// "name.o12" or "name.o12.3"; `kind` is o or e, po or pe for a parallel environment's start and
/// stop.
std::string default_output_name(const Job& job, const Task& task, std::string_view kind);
/// The directory in which the job runs: -cwd, -wd, or the user's home.
std::string working_directory(const Job& job, const TaskSite& place);

} // namespace almanac
