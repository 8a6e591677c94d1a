// The sentences of what is beyond Grid Engine with reservations: changes, prices, alternatives, hooks; and of
// trials of a configuration. Part of the table in gridengine.cpp.
#pragma once

#include "core/answer/statement.hpp"

#include <string_view>

namespace almanac::gridengine {

struct Row {
  AnswerCode code;
  std::string_view sentence;
};

inline constexpr Row rows_of_reservations[] = {
    {AnswerCode::reservation_began, "its start has come"},
    {AnswerCode::reservation_was_granted, "it was granted"},
    {AnswerCode::reservation_was_changed, "it was changed"},
    {AnswerCode::reservation_was_in_error, "its resources are not there: {why}"},
    {AnswerCode::hook_failed, "hook {hook} failed: {why}"},
    {AnswerCode::hook_has_ended, "hook {hook} has ended"},
    {AnswerCode::waits_for_hook,
     "advance reservation {reservation} waits for hook ar_start: {why}"},
    {AnswerCode::price_of_starts,
     "price: {later} pending jobs start later, {sum} s in all, at most {most} s; {earlier} start "
     "earlier, {earlier_sum} s in all"},
    {AnswerCode::price_not_started,
     "price: {count} pending jobs do not start within {days} days, which would start without it"},
    {AnswerCode::price_of_job, "price: job {job} ({user}, {name}): {with} instead of {without}"},
    {AnswerCode::price_of_lost_job,
     "price: job {job} ({user}, {name}): not within {days} days, instead of {without}"},
    {AnswerCode::price_of_holds, "price: what is held for these jobs moves: {jobs}"},
    {AnswerCode::price_of_slots,
     "price: {idle} slot-seconds idle before it, {displaced} displaced, charge {charge}; not "
     "counted: jobs not yet submitted, early ends"},
    {AnswerCode::price_is_incomplete, "price: incomplete, at least:"},
    {AnswerCode::alternative_later, "alternative: from {start} to {end} (later by {seconds} s)"},
    {AnswerCode::alternative_earlier,
     "alternative: from {start} to {end} (earlier by {seconds} s)"},
    {AnswerCode::alternative_shorter, "alternative: for {seconds} s instead of {asked} s"},
    {AnswerCode::alternative_fewer, "alternative: {slots} slots"},
    {AnswerCode::alternative_elsewhere, "alternative: without {option}"},
    {AnswerCode::no_reservation_for_job, "denied: no reservation for job {job}: {why}"},
    {AnswerCode::job_runs_already, "it runs"},
    {AnswerCode::job_is_an_array, "it is an array"},
    {AnswerCode::job_is_in_error, "it is in error"},
    {AnswerCode::job_has_a_reservation, "it is bound to advance reservation {reservation}"},
    {AnswerCode::job_is_held_by_others, "it is on hold by an operator or the system"},
    {AnswerCode::job_has_no_run_time, "it requests no run time: give -d"},
    {AnswerCode::job_waits_for_others,
     "warning: job {job} is on hold, or waits for other jobs: the reservation does not"},
    {AnswerCode::no_start_before, "no start before {latest}"},
    {AnswerCode::reservation_starts, "starts {start} on {grants:, }"},
    {AnswerCode::asap_not_for_changes, "asap is for qrsub and qralter: give a start time"},
    {AnswerCode::no_alternative,
     "alternative: none within {days} days[: {slots} slots requested, the cluster has {has}]"},
    {AnswerCode::no_such_ckpt,
     "job rejected: the requested checkpointing environment \"{ckpt}\" does not exist"},
    {AnswerCode::ckpt_not_in_list, "cannot run in queue instance \"{queue}\" because ckpt object "
                                   "\"{ckpt}\" is not in ckpt list of queue"},
    {AnswerCode::ckpt_list_breaks_reservation,
     "denied: removing \"{ckpt}\" from ckpt_list would break advance reservation {reservation}"},
    {AnswerCode::reservation_modified, "{user} modified advance reservation {reservation}"},
    {AnswerCode::reservation_not_changed, "advance reservation {reservation} was not changed"},
    {AnswerCode::reservation_option_fixed,
     "option {option} of an advance reservation cannot be changed"},
    {AnswerCode::reservation_would_change,
     "verification: would change advance reservation {reservation}"},
    {AnswerCode::window_stays, "window: {start} to {end}, as before"},
    {AnswerCode::window_changes, "window: {start} to {end}, before {was_start} to {was_end}"},
    {AnswerCode::grants_kept, "kept: {grants:, }"},
    {AnswerCode::grants_new, "new: {grants:, }"},
    {AnswerCode::grants_given_up, "given up: {grants:, }"},
    {AnswerCode::user_shut_out, "its user \"{user}\" may not use the reservation any more"},
    {AnswerCode::about_a_job, "job {job}: {why}"},
    {AnswerCode::job_fits_no_more, "job {job} no longer fits: {why}"},
    {AnswerCode::task_of_other_pe,
     "job {task} runs in PE \"{pe}\", and the changed reservation is for {other}"},
    {AnswerCode::task_out_of_reach,
     "host \"{host}\" cannot be reached: job {task} there cannot be told to end earlier"},
    {AnswerCode::task_cut_short, "job {task} ends in {left} (h:m:s), {less} before its limit"},
    {AnswerCode::job_held_by_change, "job {job} gets a user hold: {why}"},
    {AnswerCode::cut_short,
     "advance reservation {reservation} was shortened, and its time is over"},
    {AnswerCode::and_more, "... and {count} more"},
    {AnswerCode::not_in_changed_reservation,
     "the changed reservation does not have what it asks for"},
    {AnswerCode::alters_reservation, "alters advance reservation {reservation}[: {options}]"},
    {AnswerCode::too_many_reservations_of_user,
     "rejected: only {limit} advance reservations are allowed for user \"{user}\""},
    {AnswerCode::too_many_slot_hours, "rejected: {more} slot-hours requested, {used} of {limit} in "
                                      "use by user \"{user}\"; {left} are "
                                      "left"},
    {AnswerCode::jobs_have_little_time,
     "warning: a job can run in it for {left} at most: {reserved} reserved less {offset} s "
     "(DURATION_OFFSET)"},
    {AnswerCode::no_job_has_time,
     "warning: no job can run in it: {reserved} reserved less {offset} s (DURATION_OFFSET)"},
    {AnswerCode::still_held_at_start,
     "advance reservation {reservation} has begun, but job {job} is past its limit and still holds "
     "{amount} {resource} of {place}: jobs of the reservation wait for it"},
    {AnswerCode::change_would_be_accepted, "verification: the change would be accepted"},
    {AnswerCode::change_would_be_refused, "verification: the change would be refused"},
    {AnswerCode::stands_above_quota,
     "above the limit in rule \"{rule}\": \"{key}\" uses {resource}={used}, the limit would be "
     "{limit}; {holders:, }[ and {more} more] would go on"},
    {AnswerCode::share_of_task, "job {job}.{task}: {amount}"},
    {AnswerCode::would_never_run,
     "{jobs:, }[ and {more} more] could never run any more: {reasons}"},
    {AnswerCode::hold_would_move,
     "job {job} would start later than planned: in {then} instead of {in}"},
    {AnswerCode::hold_would_fall, "job {job} would lose its start that is planned in {in}"},
    {AnswerCode::would_be_orphaned,
     "queue instance \"{queue}\" would be orphaned, and kept for {holders:, }[ and {more} more]"},
    {AnswerCode::stored_without_effect,
     "would be stored without effect: {kind}[ \"{object}\"]: {attribute} {value}"},
    {AnswerCode::kinds_not_looked_at, "{count} more kinds of waiting jobs were not looked at: "
                                      "whether they could still run is not known"},
    {AnswerCode::container_binds,
     "{container} has too little {resource}: {needed} requested, "
     "{free} of {total} free[; taken by {taken:, }[ and {more} more]]"},
    {AnswerCode::in_queue_instance, "queue instance \"{queue}\""},
    {AnswerCode::at_the_host, "host \"{host}\""},
    {AnswerCode::in_the_cluster, "the cluster"},
    {AnswerCode::in_pe, "parallel environment \"{pe}\""},
    {AnswerCode::taken_until, "until {at}"},
    {AnswerCode::taken_without_end, "without end"},
    {AnswerCode::only_holds_in_the_way,
     "places are held for {jobs:, }[ and {more} more]: managers may take them (-override-holds)"},
    {AnswerCode::a_hold, "job {job} from {from} {end}"},
    {AnswerCode::overriding_for_managers,
     "denied: \"{user}\" must be manager to take places that are held for jobs (-override-holds)"},
    {AnswerCode::overridden_by,
     "advance reservation {reservation} was granted over it by {user} (-override-holds)"},
    {AnswerCode::qtype_breaks_reservation,
     "denied: removing \"{type}\" from qtype would break advance reservation {reservation}"},
    {AnswerCode::ended_before_prolonged,
     "its host was unreachable when the reservation was prolonged"},
    {AnswerCode::fewer_would_start_by_rule,
     "would start now with -alloc {rule} {slots}, the most slots that fit"},
};

} // namespace almanac::gridengine
