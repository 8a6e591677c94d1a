// qmod over jobs: what is active is suspended, goes on or is tried again; errors are cleared.
//
// Owners and operators may do that. Names and patterns mean the caller's own jobs, to operators
// everybody's.
#pragma once

#include "core/planning/commands/targets.hpp"
#include "core/request/command.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace almanac::rules {

Answer modify_jobs(State& state, const Caller& caller, const ModifyJobs& command, Instant now);
Answer clear_job_errors(State& state, const Caller& caller, const ClearJobErrors& command,
                        Instant now);

/// What is done to tasks of one job after the other, and what is said of it.
class JobActions {
public:
  JobActions(State& state, const Caller& caller, bool force)
      : state_(state), caller_(caller), force_(force) {}

  /// The tasks of the job that are meant. False where that is more than one request may do: this job
  /// and those after it stay.
  bool take(JobAction action, const JobTarget& target);

  /// These active tasks are ended and tried again, whoever owns the job. What was taken by an earlier
  /// call is left out: one command may mean a task by its queue and by its job. False as in take().
  bool reschedule(JobKey key, const std::vector<std::int64_t>& tasks);

  Answer answer;

private:
  using Tasks = std::vector<std::int64_t>;
  Tasks not_yet_rescheduled(JobKey key, const Tasks& tasks);
  void suspend(const Job& job, const Tasks& tasks);
  void unsuspend(const Job& job, const Tasks& tasks);
  bool clear_errors(const JobTarget& target);
  bool act(JobAction action, JobKey key, const Tasks& tasks);
  Statement about(AnswerCode code, Statement what) const;
  void say(AnswerCode code, const Job& job, const Tasks& tasks);
  void refuse(AnswerCode code, const Job& job, const Tasks& tasks);

  State& state_;
  const Caller& caller_;
  bool force_;
  SingleTasks named_;
  std::set<TaskId> rescheduled_; ///< taken, or refused
};

} // namespace almanac::rules
