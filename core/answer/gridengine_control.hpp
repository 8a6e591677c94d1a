// The sentences of what is done to jobs and queue instances: qmod, qhold, qrls. Part of the table in
// gridengine.cpp.
#pragma once

#include "core/answer/gridengine_row.hpp"

namespace almanac::gridengine {

inline constexpr Row rows_of_control[] = {
    {AnswerCode::the_job, "job {job}"},
    {AnswerCode::the_task, "job-array task {job}.{tasks}"},
    {AnswerCode::the_tasks, "job-array tasks {tasks} of job {job}"},
    {AnswerCode::no_permission_for_job, "{user} - you have no permission to modify job \"{job}\""},
    {AnswerCode::no_permission_to_modify_queue,
     "{user} - you have no permission to modify queue \"{queue}\""},
    {AnswerCode::no_rescheduling_of_queue,
     "{user} - you have no permission to reschedule jobs of queue instance \"{queue}\""},
    {AnswerCode::suspended_by_user, "{user} - suspended {what}"},
    {AnswerCode::unsuspended_by_user, "{user} - unsuspended {what}"},
    {AnswerCode::suspension_forced, "{user} - forced suspension of {what}"},
    {AnswerCode::unsuspension_forced, "{user}@{host} forced unsuspension of {what}"},
    {AnswerCode::already_suspended, "{user} - {what} is already suspended"},
    {AnswerCode::already_unsuspended, "{user} - {what} is already unsuspended"},
    {AnswerCode::still_throttled, "{user}@{host} removed administrator suspension of {what} "
                                  "(suspend threshold is still active)"},
    {AnswerCode::only_throttled, "{user} - {what} is not suspended by administrator - modify "
                                 "suspend threshold list of queue to remove suspend state"},
    {AnswerCode::not_while_waiting,
     "Modify operation can not be applied on {what} in pending/hold state"},
    {AnswerCode::rescheduling_pushed, "Pushed rescheduling of {what} on host {host}"},
    {AnswerCode::rescheduling_forced, "Forced rescheduling of {what} on host {host}"},
    {AnswerCode::not_restartable, "The {what} is not restartable"},
    {AnswerCode::not_restartable_ended, "The {what} is not restartable, and is ended"},
    {AnswerCode::is_being_deleted, "{user} - {what} is being deleted"},
    {AnswerCode::rescheduled_by, "rescheduled by {user}"},
    {AnswerCode::job_moves,
     "it was suspended, and moves as checkpointing environment \"{ckpt}\" says"},
    {AnswerCode::nothing_to_reschedule, "Queue instance \"{queue}\" has no jobs to reschedule"},
    {AnswerCode::job_without_error, "Job {job} is not in error state"},
    {AnswerCode::task_without_error, "Job-array task {job}.{tasks} is not in error state"},
    {AnswerCode::job_error_cleared, "{user}@{host} cleared error state of {what}"},
    {AnswerCode::no_holds_of_tasks, "holds of single tasks are not built yet: job {job}"},
    {AnswerCode::hold_modified, "modified hold of {what}"},
    {AnswerCode::too_many_ranges_held,
     "denied: job {job}: its tasks on hold would be more than {limit} ranges"},
    {AnswerCode::drain_would_be_over, "denied: -until {until} has passed already"},
    {AnswerCode::invalid_queue, "invalid queue \"{queue}\""},
    {AnswerCode::invalid_queue_or_job, "invalid queue or job \"{target}\""},
    {AnswerCode::instance_outranked, "full: queues above it have all slots (subordinate_list)"},
    {AnswerCode::suspends_jobs, "suspends jobs[ {targets}]"},
    {AnswerCode::unsuspends_jobs, "unsuspends jobs[ {targets}]"},
    {AnswerCode::reschedules_jobs, "reschedules jobs[ {targets}]"},
    {AnswerCode::reschedules_queues, "reschedules the jobs of[ {targets}]"},
};

} // namespace almanac::gridengine
