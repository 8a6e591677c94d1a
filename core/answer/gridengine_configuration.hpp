// The sentences of changes of the configuration: what is made, and what is in their way. Part of the table in
// gridengine.cpp.
#pragma once

#include "core/answer/gridengine_row.hpp"

namespace almanac::gridengine {

inline constexpr Row rows_of_configuration[] = {
    {AnswerCode::referenced_in_reservation,
     "denied: {kind} \"{object}\" is referenced in advance reservation {reservation}"},
    {AnswerCode::pe_referenced_in_job, "denied: Pe \"{pe}\" is still referenced in job {job}."},
    {AnswerCode::referenced_in_job,
     "denied: {kind} \"{object}\" is still referenced in job {job}."},
    {AnswerCode::pe_list_breaks_reservation,
     "denied: removing \"{pe}\" from pe_list would break advance reservation {reservation}"},
    {AnswerCode::list_breaks_reservation,
     "denied: the change in \"{attribute}\" would break advance reservation {reservation}"},
    {AnswerCode::a_reservation, "advance reservation {reservation}"},
    {AnswerCode::a_job, "job {job}"},
    {AnswerCode::an_orphaned_queue,
     "orphaned[ queue instance \"{queue}\"][: it has what was granted there to advance reservation "
     "{reservation}, no more and no longer]"},
    {AnswerCode::forced_breaks_reservation,
     "denied: advance reservation {reservation} does not request complex attribute \"{complex}\": "
     "it can't become FORCED"},
    {AnswerCode::complex_referenced,
     "denied: complex attribute \"{complex}\" is referenced in {who}"},
    {AnswerCode::complex_used, "denied: complex attribute \"{complex}\" is used by {who}: its "
                               "shortcut, type, relop, requestable and consumable can't change"},
    {AnswerCode::pe_slots_break_reservations,
     "denied: lowering slots amount below {slots} would break advance reservations"},
    {AnswerCode::slots_reserved,
     "denied: {slots} slots are already reserved in {queue} by an advance reservation"},
    {AnswerCode::slots_reserved_and_used,
     "denied: {slots} slots are already reserved in {queue} by an advance reservation; {used} more "
     "are used by running jobs"},
    {AnswerCode::amount_breaks_reservation,
     "denied: changing \"{complex}\" in complex_values would break advance reservation"},
    {AnswerCode::calendar_breaks_reservation,
     "denied: changing \"{calendar}\" to calendar would break advance reservation {reservation}"},
    {AnswerCode::host_in_use, "denied: exechost \"{host}\" is in use by"},
    {AnswerCode::host_has_task, "    job {job}[.{task}] (\"{name}\") of {user}"},
    {AnswerCode::host_has_reservation,
     "    advance reservation {reservation} of {user}, {start} to {end}"},
    {AnswerCode::running_jobs_in_queue,
     "There are still running jobs in the queue instance \"{queue}\" (job {job}). Change denied."},
    {AnswerCode::running_jobs_in_deleted_queue,
     "There are still running jobs in the queue. Deletion denied.\n"
     "queue instance \"{queue}\": job {job}"},
    {AnswerCode::complex_added, "{user}@{host} added \"{complex}\" to complex entry list"},
    {AnswerCode::complex_modified, "{user}@{host} modified \"{complex}\" in complex entry list"},
    {AnswerCode::complex_removed, "{user}@{host} removed \"{complex}\" from complex entry list"},
    {AnswerCode::complexes_unchanged, "complex entry list is unchanged"},
    {AnswerCode::scheduler_changed, "changed scheduler configuration"},
    {AnswerCode::scheduler_stopped, "{user}@{host} stopped the scheduler: no job starts until "
                                    "qconf -at scheduler, or a restart of "
                                    "the master"},
    {AnswerCode::scheduler_started, "{user}@{host} started the scheduler"},
    {AnswerCode::scheduler_already_so, "denied: the scheduler {state} already"},
    {AnswerCode::scheduler_triggered, "{user}@{host} triggers scheduler monitoring"},
    {AnswerCode::global_modified, "{user}@{host} modified \"global\" in configuration list"},
    {AnswerCode::object_added, "{user}@{host} added \"{object}\" to {kind} list"},
    {AnswerCode::object_modified, "{user}@{host} modified \"{object}\" in {kind} list"},
    {AnswerCode::object_removed, "{user}@{host} removed \"{object}\" from {kind} list"},
    {AnswerCode::host_added, "{entry} added to {kind} list"},
    {AnswerCode::entry_added, "{user}@{host} added \"{entry}\" to {kind} list"},
    {AnswerCode::entry_added_to_list,
     "{user}@{host} added \"{entry}\" to access list \"{object}\""},
    {AnswerCode::entry_removed, "{user}@{host} removed \"{entry}\" from {kind} list"},
    {AnswerCode::entry_removed_from_list,
     "{user}@{host} removed \"{entry}\" from access list \"{object}\""},
    {AnswerCode::manager_needed, "denied: \"{user}\" must be manager for this operation"},
    {AnswerCode::master_host_stays,
     "denied: can't delete master host \"{host}\" from {list} host list"},
    {AnswerCode::orphans_are_not_configured,
     "denied: orphaned queue instances cannot be configured"},
};

} // namespace almanac::gridengine
