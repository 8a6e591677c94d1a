// From a job's record and the configuration to what a shepherd is told: all that can be decided
// without being on the host (spec/cli.md section 9, spec/objects.md sections 1 and 4).
#pragma once

#include "core/execution/checkpoint_plan.hpp"
#include "core/execution/process_limits.hpp"
#include "core/execution/shepherd_order.hpp"
#include "core/job/job.hpp"
#include "core/job/task.hpp"

#include <string>
#include <vector>

namespace almanac {

/// What is done instead of sending the usual signal
/// (core/configuration/objects/control_method.hpp); neither: nothing else.
struct MethodSetting {
  std::int64_t signal = 0;
  std::vector<std::string> words = {};
};

/// What the configuration says about a task on one of its hosts.
struct TaskSetting {
  std::string cell, host;
  std::vector<ProcessLimit> limits;
  std::string shell, shell_start_mode;
  std::string prolog, epilog, pe_start, pe_stop;
  Duration notice; ///< before a signal that can't be caught; endless for none
  std::string notice_of_kill, notice_of_suspension; ///< names of signals; "": none
  bool has_interpreter = false;                     ///< the script begins with #!
  std::string checkpoint_directory{};               ///< of the job's checkpointing environment
  std::vector<std::string> starter = {};            ///< runs jobs instead of their shell
  MethodSetting suspend = {}, resume = {}, terminate = {};
  std::int64_t nice = 0;
  std::vector<std::string> login_shells = {}; ///< names, of posix_compliant alone
  CheckpointPlan checkpoint = {};
  /// From SIGTERM to SIGKILL of a job that gives way to a reservation, seconds; with a notice it is
  /// as long as that.
  std::int64_t patience = 0;
};

/// Of a queue with this `notify`: that, and a few seconds where there is none (spec/plus.md P5.11).
std::int64_t patience_of(Duration notify);

/// What the shepherd of the job's own process is told, with marks for what only the host knows
/// (host_words.hpp), and without what its helper decides: whether users are known, and who they are
/// there, cgroup, marker, lease. The error: a command of the site is none.
Result<ShepherdOrder> task_order(const Job& job, const Task& task, const TaskSetting& setting);

/// The same for processes of qrsh -inherit, which have no arguments yet.
ShepherdOrder call_order(const Job& job, const Task& task, const TaskSetting& setting);

} // namespace almanac
