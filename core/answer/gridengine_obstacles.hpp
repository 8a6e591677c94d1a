// The sentences of what keeps a job from starting: its own state, and what instances, hosts, the cell and its
// reservation do not offer. Part of the table in gridengine.cpp.
#pragma once

#include "core/answer/gridengine_row.hpp"

namespace almanac::gridengine {

inline constexpr Row rows_of_obstacles[] = {
    {AnswerCode::granted_without_pe, "cannot run in PE \"{pe}\" because advance reservation"
                                     "[ {reservation}] was granted without a PE"},
    {AnswerCode::granted_with_pe, "cannot run in PE \"{pe}\" because advance reservation"
                                  "[ {reservation}] was granted with PE \"{granted}\""},
    {AnswerCode::no_permission_for_pe, "has no permission for parallel environment \"{pe}\""},
    {AnswerCode::pe_not_in_list,
     "cannot run in queue \"{queue}\" because PE \"{pe}\" is not in pe list"},
    {AnswerCode::pe_offers_few, "cannot run in PE \"{pe}\" because it only offers {slots} slots"},
    {AnswerCode::pe_rule_not_met, "cannot run in PE \"{pe}\" because it allocates {per_host} slots "
                                  "per host, and the request contains no multiple of {per_host}"},
    {AnswerCode::exceeds_quota,
     "cannot run because it exceeds limit \"{key}\" in rule \"{rule}\"[ "
     "({resource}={used}{requested}/{limit}[, "
     "taken by {taken:, }[ and {more} more]][, enough is free in {free_in}])]"},
    {AnswerCode::offers_few_globally,
     "({request}) cannot run globally because it offers only gc:{resource}={amount}[ {why}][ "
     "(taken by {taken:, }[ and {more} more])]"},
    {AnswerCode::offers_few_at_host,
     "({request}) cannot run at host \"{host}\" because it offers only hc:{resource}={amount}[ "
     "{why}][ (taken by {taken:, }[ and {more} more])]"},
    {AnswerCode::offers_few_in_queue,
     "({request}) cannot run in queue \"{queue}\" because it offers only qc:{resource}={amount}[ "
     "{why}][ (taken by {taken:, }[ and {more} more])]"},
    {AnswerCode::due_to_reservation, "due to a reservation"},
    {AnswerCode::share_of_job, "job {job}: {amount}[ {end}]"},
    {AnswerCode::share_of_hold, "job {job} (held): {amount}[ {end}]"},
    {AnswerCode::share_of_reservation, "advance reservation {reservation}: {amount}[ {end}]"},
    {AnswerCode::offers_none_in_queue,
     "({request}) cannot run in queue \"{queue}\" because it offers no {resource}"},
    {AnswerCode::offers_other_in_queue,
     "({request}) cannot run in queue \"{queue}\" because it offers only {resource}={value}"},
    {AnswerCode::offers_none_at_host,
     "({request}) cannot run at host \"{host}\" because it offers no {resource}"},
    {AnswerCode::offers_other_at_host,
     "({request}) cannot run at host \"{host}\" because it offers only hl:{resource}={value}"},
    {AnswerCode::not_on_requested_host,
     "({request}) cannot run in {count} queue instances, which are on other hosts"},
    {AnswerCode::same_of_more_queues,
     "{more} more queue instances are ruled out for the same reason as \"{place}\""},
    {AnswerCode::same_of_more_hosts,
     "{more} more hosts are ruled out for the same reason as \"{place}\""},
    {AnswerCode::closed_without_limit, "cannot run in queue instance \"{queue}\" because its "
                                       "calendar closes it and the job has no run-time limit"},
    {AnswerCode::run_time_too_long, "cannot run in queue instance \"{queue}\" because the job "
                                    "runtime of {seconds} sec. is too long"},
    {AnswerCode::change_begins_later,
     "a change of advance reservation {reservation} is pending that would begin later"},
    {AnswerCode::reservation_leaves,
     "advance reservation {reservation} has {left} s left[, the job requests {requested} s]"},
    {AnswerCode::not_reserved, "cannot run in queue \"{queue}\" because it was not reserved by "
                               "advance reservation[ {reservation}]"},
    {AnswerCode::change_gives_up, "cannot run in queue \"{queue}\" because a change of advance "
                                  "reservation {reservation} is pending that gives it up"},
    {AnswerCode::job_on_hold, "Job is in hold state"},
    {AnswerCode::job_has_dependencies, "job dropped because of job dependencies"},
    {AnswerCode::execution_time_not_reached, "execution time not reached"},
    {AnswerCode::task_rests,
     "a task requested another try (exit status 99) and waits for the scheduler's interval"},
    {AnswerCode::job_in_error, "Job is in error state"},
    {AnswerCode::no_pending_task, "the job has no pending task"},
    {AnswerCode::array_limit_reached,
     "{limit} tasks of the array are running already, the limit of {setting}"},
    {AnswerCode::user_limit_reached,
     "job dropped because of user limitations: {limit} jobs of \"{user}\" run (maxujobs)"},
    {AnswerCode::reservation_gone,
     "the advance reservation[ {reservation}] is no longer available"},
    {AnswerCode::reservation_not_started,
     "execution time not reached: advance reservation {reservation} has not started"},
    {AnswerCode::reservation_in_error,
     "cannot run because requested advance reservation {reservation} is in error state"},
    {AnswerCode::not_in_queue_list,
     "cannot run in queue \"{queue}\" because it is not contained in its hard queue list (-q)"},
    {AnswerCode::no_interactive_queue,
     "cannot run in queue \"{queue}\" because it is not an interactive queue"},
    {AnswerCode::no_batch_queue, "cannot run in queue \"{queue}\" because it is not a batch queue"},
    {AnswerCode::no_permission_for_selected_users,
     "queue \"{queue}\" has no permissions for selected users"},
    {AnswerCode::no_permission_for_queue,
     "[{who} ]has no permission for cluster queue \"{queue}\""},
    {AnswerCode::no_permission_for_host, "[{who} ]has no permission for host \"{host}\""},
    {AnswerCode::no_permission_for_cluster, "[{who} ]has no permission for cluster"},
    {AnswerCode::a_project, "project \"{project}\""},
    {AnswerCode::without_project, "no project"},
    {AnswerCode::forced_not_requested,
     "does not request 'forced' resource \"{resource}\"[ of queue \"{queue}\"][ of host {host}][, "
     "which rule \"{rule}\" limits]"},
    {AnswerCode::instance_dropped, "queue instance \"{queue}\" dropped because it is {why}"},
    {AnswerCode::instance_full, "queue instance \"{queue}\" dropped because it is full[ (taken by "
                                "{taken:, }[ and {more} more])]"},
    {AnswerCode::host_not_available, "temporarily not available"},
    {AnswerCode::instance_disabled, "disabled"},
    {AnswerCode::instance_suspended, "suspended"},
    {AnswerCode::instance_in_error, "in error state: {reason}"},
    {AnswerCode::instance_ambiguous, "ambiguous in its configuration"},
    {AnswerCode::instance_set_back, "set back after a failed launch"},
    {AnswerCode::suspend_threshold_reached, "overloaded: its suspend threshold is reached"},
    {AnswerCode::closed_by_calendar, "closed by its calendar"},
    {AnswerCode::instance_overloaded, "overloaded: {why}"},
    {AnswerCode::at_most_threshold, "{resource}={value} <= {threshold}"},
    {AnswerCode::at_least_threshold, "{resource}={value} >= {threshold}"},
    {AnswerCode::user_not_admitted, "user \"{user}\" is not admitted by advance reservation"
                                    "[ {reservation}]: error: no suitable queues"},
    {AnswerCode::owner_not_admitted,
     "user \"{user}\" is not admitted by advance reservation {reservation}"},
    {AnswerCode::invalid_reservation, "the advance reservation id {reservation} is invalid"},
    {AnswerCode::longer_than_reservation,
     "the job duration is longer than duration of the advance reservation[ id {reservation}] "
     "({requested} requested, {reserved} reserved less {offset} s)"},
    {AnswerCode::begins_too_late,
     "the job duration exceeds the end time of the advance reservation[ id {reservation}] "
     "(it begins {after} after the reservation does, {reserved} reserved less {offset} s)"},
    {AnswerCode::exceeds_reservation,
     "the job duration exceeds the end time of the advance reservation[ id {reservation}] "
     "({requested} requested, {reserved} reserved less {offset} s)"},
    {AnswerCode::deadline_before_reservation,
     "the deadline lies {before} before the start of the advance reservation[ id {reservation}]"},
};

} // namespace almanac::gridengine
