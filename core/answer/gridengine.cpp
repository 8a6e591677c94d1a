#include "core/answer/gridengine.hpp"

#include "core/answer/gridengine_arrays.hpp"
#include "core/answer/gridengine_configuration.hpp"
#include "core/answer/gridengine_control.hpp"
#include "core/answer/gridengine_inputs.hpp"
#include "core/answer/gridengine_keys.hpp"
#include "core/answer/gridengine_metascheduler.hpp"
#include "core/answer/gridengine_obstacles.hpp"
#include "core/answer/gridengine_reservations.hpp"
#include "core/answer/sentence.hpp"
#include "core/text/words.hpp"

#include <array>

// Sentences that docs/spec shows in code font are facts of the interface.

namespace almanac::gridengine {

namespace {

constexpr Row rows[] = {
    {AnswerCode::said, "{text}"},
    {AnswerCode::no_admin_host, "denied: host \"{host}\" is no admin host"},
    {AnswerCode::no_submit_host, "denied: host \"{host}\" is no submit host"},
    {AnswerCode::neither_submit_nor_admin_host,
     "denied: host \"{host}\" is neither submit nor admin host"},
    {AnswerCode::account_of_the_system,
     "denied: uid {uid} of host \"{host}\" is nobody in this cell: it is root or below {min_uid} "
     "(min_uid), and the host is no admin host"},
    {AnswerCode::squashed_user,
     "denied: whom {agent} calls uid {uid} is nobody in this cell (squash of exechost \"{host}\")"},
    {AnswerCode::plain_user_there,
     "denied: host \"{host}\" is no admin host: \"{user}\" is a plain user there"},
    {AnswerCode::no_such_job_here, "job {job} does not exist"},
    {AnswerCode::job_info_is_off,
     "collecting of scheduler job information is turned off (schedd_job_info): "
     "qalter -w p {job} tells the reasons, and almanac-console why {job}"},
    {AnswerCode::unable_to_run_job, "Unable to run job: {why}.\nExiting."},
    {AnswerCode::project_needed, "job rejected: no project given (-P), but enforce_project is set"},
    {AnswerCode::user_object_needed,
     "job rejected: there is no user object \"{user}\", but enforce_user is set"},
    {AnswerCode::uid_below_min_uid, "the uid {uid} is below min_uid {min_uid}"},
    {AnswerCode::gid_below_min_gid, "the gid {gid} is below min_gid {min_gid}"},
    {AnswerCode::array_too_long,
     "job rejected: the array has {tasks} tasks, only {limit} are allowed (max_aj_tasks)"},
    {AnswerCode::too_many_jobs, "job rejected: only {limit} jobs are allowed per cluster"},
    {AnswerCode::too_many_jobs_of_user,
     "job rejected: only {limit} jobs are allowed per user (current job count: {jobs})"},
    {AnswerCode::job_rejected, "job rejected: {why}"},
    {AnswerCode::jsv_changed,
     "job rejected: the JSV of the cell (jsv_url) has just changed: submit the job again"},
    {AnswerCode::option_kept_by_jsv, "denied: option {option} of jobs cannot be changed, since a "
                                     "JSV verifies them (jsv_url, jsv_allowed_mod)"},
    {AnswerCode::most_jobs_of_user_would_run, "{limit} jobs of \"{user}\" may run (maxujobs)"},
    {AnswerCode::no_slots_for_all_tasks, "not enough free slots for all its tasks"},
    {AnswerCode::no_slots_for_job, "not enough free slots"},
    {AnswerCode::not_scheduled_now,
     "Your qsub request could not be scheduled; try again later.\n({why})"},
    {AnswerCode::interactive_not_scheduled_now,
     "Your \"{program}\" request could not be scheduled, try again later.\n({why})"},
    {AnswerCode::no_suitable_queues_found, "verification: no suitable queues"},
    {AnswerCode::suitable_queues_found, "verification: found suitable queue(s)"},
    {AnswerCode::assignment_found, "verification: found possible assignment with {slots} slots"},
    {AnswerCode::no_suitable_queues, "error: no suitable queues"},
    {AnswerCode::warning_no_suitable_queues, "warning: no suitable queues"},
    {AnswerCode::denied, "denied: {why}"},
    {AnswerCode::job_submitted, "Your job {job} (\"{name}\") has been submitted"},
    {AnswerCode::array_submitted,
     "Your job-array {job}.{first}-{last}:{step} (\"{name}\") has been submitted"},
    {AnswerCode::job_started_at_once, "Waiting for immediate job to be scheduled.\nYour immediate "
                                      "job {job} has been successfully scheduled."},
    {AnswerCode::priority_for_operators,
     "job rejected: positive submission priority requires operator privileges"},
    {AnswerCode::override_tickets_for_operators,
     "job rejected: override tickets require operator privileges"},
    {AnswerCode::no_deadline_user,
     "job rejected: user \"{user}\" is not in userset \"deadlineusers\""},
    {AnswerCode::no_such_project, "job rejected: project \"{project}\" does not exist"},
    {AnswerCode::no_access_to_project,
     "job rejected: no access to project \"{project}\" for user \"{user}\""},
    {AnswerCode::too_many_addresses, "mail is sent to {limit} addresses at most (-M)"},
    {AnswerCode::pe_without_slots, "-pe needs a name and a slot range"},
    {AnswerCode::request_of_whole_job, "-scope {scope} -l {resource}: consumables, limits and what "
                                       "hosts report are requested for the "
                                       "whole job, behind -scope global"},
    {AnswerCode::slaves_without_pe,
     "-scope slave needs -pe or -alloc: other jobs have no slave tasks"},
    {AnswerCode::scope_not_met,
     "cannot have {scope} tasks of the job in queue \"{queue}\" because it does not meet what is "
     "requested behind -scope {scope}"},
    {AnswerCode::rule_without_pe,
     "-par {rule} needs -pe: it takes the place of the allocation_rule of a parallel environment"},
    {AnswerCode::too_much_kept,
     "the records of \"{user}\" take up more than {megabytes} MB (qmaster_params MAX_USER_MB)"},
    {AnswerCode::too_much_in_one_request,
     "denied: one request changes at most 32 MB of jobs: job {job} and those after it are as they "
     "were; name fewer at a time"},
    {AnswerCode::too_many_single_tasks, "denied: more than {limit} single tasks are named in one "
                                        "request: job {job} and those after it are as they were"},
    {AnswerCode::no_jobs_of_users, "There are no jobs registered for the following users: {users}"},
    {AnswerCode::users_or_jobs_needed, "You have to specify a username or job ids"},
    {AnswerCode::operator_hold_for_operators,
     "denied: \"{user}\" must be operator to change an operator hold"},
    {AnswerCode::system_hold_for_managers,
     "denied: \"{user}\" must be manager to change a system hold"},
    {AnswerCode::no_right_to_modify_job,
     "{user} - you do not have the necessary privileges to modify the job \"{job}\""},
    {AnswerCode::no_right_to_delete_job,
     "{user} - you do not have the necessary privileges to delete the job \"{job}\""},
    {AnswerCode::no_such_job, "denied: job \"{job}\" does not exist"},
    {AnswerCode::not_suitable_any_more, "{why}: no suitable queues"},
    {AnswerCode::option_of_running_job,
     "denied: option {option} of running job {job} cannot be changed"},
    {AnswerCode::consumable_of_running_job,
     "denied: {resource} of running job {job} cannot be changed: it is consumed where it runs (-l "
     "replaces all requests)"},
    {AnswerCode::limit_of_running_job,
     "denied: {resource} of running job {job} cannot be changed: the limit is in force where it "
     "runs (-l replaces all requests)"},
    {AnswerCode::denied_for_job, "denied: job {job}: {why}"},
    {AnswerCode::option_not_built, "option {option} of qalter is not built yet"},
    {AnswerCode::no_altering_of_tasks, "altering single tasks is not supported: job {job}"},
    {AnswerCode::job_waits_already,
     "denied: job {job} waits already: -now y is for jobs that are submitted"},
    {AnswerCode::job_would_wait_for_itself, "it would wait for itself, through job {other}"},
    {AnswerCode::ckpt_not_built, "checkpointing environment \"{ckpt}\": its {attribute} is not "
                                 "used yet, so no job may ask for it"},
    {AnswerCode::too_many_jobs_to_verify,
     "{jobs} jobs are too many to be verified at once: at most {limit}"},
    {AnswerCode::no_right_to_copy_job,
     "{user} - you do not have the necessary privileges to resubmit the job \"{job}\""},
    {AnswerCode::no_copy_of_tasks, "denied: job {job} is copied as a whole, without task numbers"},
    {AnswerCode::no_copy_of_interactive_job,
     "denied: job {job} is interactive: a copy would have nobody who waits for it"},
    {AnswerCode::too_many_jobs_to_copy,
     "{jobs} jobs are too many to be copied at once: at most {limit}"},
    {AnswerCode::no_array_to_wait, "-hold_jid_ad is for array jobs (-t)"},
    {AnswerCode::too_many_array_dependencies,
     "-hold_jid_ad names more than {limit} jobs that have not finished"},
    {AnswerCode::ranges_of_arrays_differ,
     "-hold_jid_ad: job {other} is no array with the same range of tasks"},
    {AnswerCode::too_many_arrays_wait,
     "-hold_jid_ad: {limit} arrays wait for the tasks of job {other} already"},
    {AnswerCode::job_altered, "modified {what} of job {job}"},
    {AnswerCode::operator_needed, "denied: \"{user}\" must be operator for this operation"},
    {AnswerCode::queue_already_so,
     "Queue instance \"{queue}\" is already in the specified state: {state}"},
    {AnswerCode::queue_changed, "{user}@{host} changed state of \"{queue}\" ({state})"},
    {AnswerCode::task_deleted, "{user} has deleted job-array task {job}.{tasks}"},
    {AnswerCode::tasks_deleted, "{user} has deleted job-array tasks {tasks} of job {job}"},
    {AnswerCode::task_deletion_registered,
     "{user} has registered the job-array task {job}.{tasks} for deletion"},
    {AnswerCode::tasks_deletion_registered,
     "{user} has registered the job-array tasks {tasks} of job {job} for deletion"},
    {AnswerCode::job_deleted, "{user} has deleted job {job}"},
    {AnswerCode::deletion_registered, "{user} has registered the job {job} for deletion"},
    {AnswerCode::deletion_forced, "warning: {user} forced the deletion of job {job}"},
    {AnswerCode::too_many_ranges_left,
     "denied: job {job}: what is left of its tasks would be more than {limit} ranges"},
    {AnswerCode::too_much_left, "denied: job {job}: {why}; delete the whole job"},
    {AnswerCode::no_such_task, "denied: task \"{job}.{task}\" does not exist"},
    {AnswerCode::forced_deletion_for_operators, "denied: \"{user}\" must be operator to force the "
                                                "deletion of jobs (or ENABLE_FORCED_QDEL be set)"},
    {AnswerCode::too_many_names,
     "so many names and patterns take too long to compare: name fewer at a time"},
    {AnswerCode::slots_out_of_range, "slots must be between 1 and {limit}"},
    {AnswerCode::allhosts_and_all_q_needed,
     "the host group @allhosts and the cluster queue all.q are needed to add a host"},
    {AnswerCode::host_exists, "exechost \"{host}\" already exists"},
    {AnswerCode::no_such_host, "denied: exechost \"{host}\" does not exist"},
    {AnswerCode::host_key_revoked, "{user}@{from} revoked the key of host \"{host}\""},
    {AnswerCode::host_key_replaced, "{user}@{from} replaces the key of host \"{host}\""},
    {AnswerCode::rejected, "rejected: {why}"},
    {AnswerCode::no_suitable_queues_for_reservation, "advance_reservation: no suitable queues"},
    {AnswerCode::reservation_held, "Your advance reservation {reservation} is held"},
    {AnswerCode::reservation_granted, "Your advance reservation {reservation} has been granted"},
    {AnswerCode::reservation_unhealthy,
     "warning: {why}; the reservation stays in state W until this is resolved"},
    {AnswerCode::reservation_is_repaired,
     "warning: {why}; the reservation is repaired if there is other capacity"},
    {AnswerCode::name_with_digit,
     "denied: \"{name}\" is not a valid object name (cannot start with a digit)"},
    {AnswerCode::users_or_reservations_needed,
     "You have to specify a username or advance_reservation ids"},
    {AnswerCode::no_such_reservation,
     "denied: advance_reservation \"{reservation}\" does not exist"},
    {AnswerCode::all_reservations_for_managers,
     "denied: \"{user}\" must be manager to modify all advance reservations"},
    {AnswerCode::no_right_to_delete_reservation,
     "{user} - you do not have the necessary privileges to delete the advance_reservation "
     "\"{reservation}\""},
    {AnswerCode::no_reservations_of_users,
     "There is no advance_reservation registered for the following users: {users}"},
    {AnswerCode::operation_pending,
     "denied: operation pending on advance_reservation \"{reservation}\""},
    {AnswerCode::reservation_deletion_registered,
     "{user} has registered the advance_reservation {reservation} for deletion"},
    {AnswerCode::reservation_deleted, "{user} has deleted advance_reservation {reservation}"},
    {AnswerCode::no_right_to_change_reservation,
     "{user} - you do not have the necessary privileges to change the advance_reservation "
     "\"{reservation}\""},
    {AnswerCode::no_right_to_settle,
     "{user} - you do not have the necessary privileges to change the advance_reservation "
     "\"{reservation}\""},
    {AnswerCode::task_runs_longer,
     "job {task} may run for {seconds} s longer than the changed reservation lets it"},
    {AnswerCode::task_holds_more,
     "job {task} holds {resource} of {container} that the changed reservation would not have"},
    {AnswerCode::reservation_needed, "a removal needs the id of a reservation"},
    {AnswerCode::over_before_commit, "denied: its time would be over before it can be committed"},
    {AnswerCode::nothing_held,
     "denied: nothing is held for advance_reservation \"{reservation}\" in this transaction"},
    {AnswerCode::change_was_committed,
     "denied: this change of advance_reservation \"{reservation}\" was committed"},
    {AnswerCode::change_was_aborted,
     "denied: this change of advance_reservation \"{reservation}\" was aborted"},
    {AnswerCode::committed_before, "advance reservation {reservation} was committed"},
    {AnswerCode::aborted_before, "advance reservation {reservation} was aborted"},
    {AnswerCode::reservation_canceled, "{user} has canceled advance_reservation {reservation}"},
    {AnswerCode::change_discarded,
     "advance reservation {reservation}: the pending change was discarded"},
    {AnswerCode::unknown_queue, "Job was rejected because job requests unknown queue \"{queue}\""},
    {AnswerCode::unknown_resource, "unknown resource \"{resource}\""},
    {AnswerCode::slots_requested,
     "\"{kind}\" denied: use parallel environments instead of requesting slots explicitly"},
    {AnswerCode::resource_not_requestable, "resource \"{resource}\" is not requestable"},
    {AnswerCode::ratio_without_rule,
     "attribute \"{resource}\": \"{value}\" is an amount for several slots, which goes with -alloc "
     "only: give -l with an amount for each slot"},
    {AnswerCode::resource_value_malformed, "{why}"},
    {AnswerCode::amount_below_zero, "\"{resource}={value}\": a request cannot be negative"},
    {AnswerCode::unknown_hostname, "can't resolve hostname \"{host}\""},
    {AnswerCode::no_such_pe,
     "job rejected: the requested parallel environment \"{pe}\" does not exist"},
    {AnswerCode::calendar_disabled,
     "queue \"{queue}\" is calendar disabled in selected time frame"},
    {AnswerCode::unhealthy_at_start, "queue \"{queue}\" {why: and } at the requested start"},
    {AnswerCode::reserved_queue_bad, "reserved queue {queue} {why}"},
    {AnswerCode::is_unknown, "is unknown"},
    {AnswerCode::is_error, "is error"},
    {AnswerCode::is_disabled, "is disabled"},
    {AnswerCode::is_suspended, "is suspended"},
    {AnswerCode::is_ambiguous, "is configuration ambiguous"},
    {AnswerCode::not_repaired, "not repaired: {why}"},
    {AnswerCode::jobs_may_still_run, "not repaired: jobs may still run on {grants:,}"},
    {AnswerCode::no_replacement, "not repaired: no replacement found for {slots} slots of "
                                 "{lost:,}[: {why:; }][; and {more} more reasons]"},
    {AnswerCode::repaired, "repaired: {lost:,} replaced by {found:,}"},
    {AnswerCode::repair_undone,
     "repair undone: [{left:,} replaced by {back:,}][{again:,} is there again]"},
    {AnswerCode::repaired_in_part, "repaired in part: {found} of {slots} slots"},
    {AnswerCode::only_lost_was_requested, "not repaired: only {hosts} was requested"},
    {AnswerCode::capacity_was_replaced,
     "capacity was lost on {hosts} and replaced for advance reservation {reservation}"},
    {AnswerCode::left_behind_keeps, "what was left behind keeps {what:, } until its jobs end"},
    {AnswerCode::could_not_be_repaired, "could not be repaired"},
    {AnswerCode::too_few_spare_hosts, "only {found} of {spare} spare hosts can be booked"},
    {AnswerCode::a_grant, "{queue}={slots}"},
    {AnswerCode::canceled_by, "canceled by {user}"},
    {AnswerCode::can_start_now, "can start now, in the next scheduling run"},
    {AnswerCode::start_planned, "start planned in {in}: {places:, }[; postponed because {cause}]"},
    {AnswerCode::nothing_is_held,
     "no place is held for it (-R y), because max_reservation is 0 (qconf -msconf)"},
    {AnswerCode::one_slot_on, "1 slot on {queue}"},
    {AnswerCode::slots_on, "{slots} slots on {queue}"},
    {AnswerCode::scheduler_is_stopped,
     "scheduling is off: {user} stopped the scheduler (qconf -at scheduler starts it)"},
    {AnswerCode::scheduling_is_off, "scheduling is off: the master crashed three times within five "
                                    "minutes; find the cause, then restart it"},
    {AnswerCode::slots_taken,
     "some slots of queue instance \"{queue}\" are taken by {taken:, }[ and {more} more]"},
    {AnswerCode::shorter_would_start,
     "would start now with -l h_rt={seconds}, the longest run time that still fits"},
    {AnswerCode::fewer_would_start,
     "would start now with -pe {pe} {slots}, the most slots that fit"},
    {AnswerCode::higher_priority, "job {job} has a higher priority"},
    {AnswerCode::planned_capacity_gone, "planned capacity is no longer available"},
    {AnswerCode::host_cannot_be_reached, "host {host} can't be reached"},
    {AnswerCode::run_time_exceeded, "job {job} exceeds the run time that it requested"},
    {AnswerCode::queues_changed, "queues or their capacity were changed"},
    {AnswerCode::asked_for_another_try, "exit status 99 asked for another try"},
    {AnswerCode::launch_failed, "the launch on {host} failed: {reason}"},
    {AnswerCode::launch_of_part_failed, "the launch of its part on {host} failed: {reason}"},
    {AnswerCode::exited_with_error,
     "the job exited with status 100 and was put into the error state"},
    {AnswerCode::died_by_signal, "the job was ended by signal {signal}"},
    {AnswerCode::host_lost_job,
     "host {host} lost the job: the host was rebooted or its spool was removed"},
    {AnswerCode::part_lost, "its part on {host} was lost: the host cannot be reached"},
    {AnswerCode::host_was_silent, "host {host} was silent for longer than reschedule_unknown"},
    {AnswerCode::reservation_over_on_lost_host,
     "the reservation has ended and host {host} can't be reached"},
    {AnswerCode::deletion_forced_by, "deletion forced by {user}"},
    {AnswerCode::deleted_by, "deleted by {user}"},
    {AnswerCode::end_or_duration_missing,
     "missing value for \"end time or duration\" in advance reservation request"},
    {AnswerCode::duration_differs,
     "difference between end and start time does not correspond to duration"},
    {AnswerCode::start_after_end, "start time is later than end time"},
    {AnswerCode::start_in_the_past, "start time is in the past"},
    {AnswerCode::end_in_the_past, "end time is in the past"},
    {AnswerCode::ends_too_late, "the advance reservation would end more than 100 years from now"},
    {AnswerCode::start_has_passed,
     "the advance reservation has begun: its start cannot be changed"},
    {AnswerCode::reservation_deleted_by, "advance reservation deleted by {user}"},
    {AnswerCode::reservation_ended, "advance reservation {reservation} ended"},
    {AnswerCode::reservation_was_idle,
     "advance reservation {reservation} ended: idle for {minutes} minutes"},
    {AnswerCode::last_job_of_reservation_left,
     "advance reservation {reservation} ended with its last job"},
    {AnswerCode::agent_not_let_in, "the agent of host {host} is not let in: {why}"},
    {AnswerCode::arusers_needed, "denied: \"{user}\" must be manager or in userset \"arusers\""},
    {AnswerCode::no_such_userset, "Userset \"{userset}\" does not exist"},
    {AnswerCode::no_such_user, "error: {user} is not known as a user"},
    {AnswerCode::too_many_reservations,
     "rejected: only {limit} advance reservations are allowed per cluster"},
    {AnswerCode::user_kept_out,
     "warning: user \"{user}\" of {userset} has no permission for \"{queue}\""},
    {AnswerCode::quota_set_without_rules, "resource quota set has no rules[: \"{set}\"]"},
    {AnswerCode::value_is_there,
     "No modification because \"{value}\" already exists in \"{list}\" of \"{object}\""},
    {AnswerCode::value_is_missing, "\"{value}\" does not exist in \"{list}\" of \"{object}\""},
    {AnswerCode::value_is_added,
     "Unable to find \"{value}\" in \"{list}\" of \"{object}\" - Adding new element."},
    {AnswerCode::list_is_empty, "\"{list}\" of \"{object}\" is empty - Adding new element(s)."},
};

using Sentences = std::array<std::string_view, known_answer_codes>;

constexpr Sentences by_code() {
  Sentences sentences;
  const auto enter = [&](const auto& table) {
    for (const auto& row : table) sentences[static_cast<std::size_t>(row.code)] = row.sentence;
  };
  enter(rows);
  enter(rows_of_arrays);
  enter(rows_of_configuration);
  enter(rows_of_control);
  enter(rows_of_inputs);
  enter(rows_of_keys);
  enter(rows_of_metascheduler);
  enter(rows_of_obstacles);
  enter(rows_of_reservations);
  return sentences;
}
constexpr auto sentences = by_code();

} // namespace

std::string_view sentence_of(AnswerCode code) {
  const auto index = static_cast<std::size_t>(code);
  return index < sentences.size() ? sentences[index] : std::string_view();
}

std::string text_of(const Statement& statement) {
  const auto sentence = sentence_of(statement.code);
  return sentence.empty() ? bare(statement, text_of) : filled(sentence, statement, text_of);
}

namespace {

// A line for each of its sentence: a detail makes none of its own.
void add_lines(const Statement& statement, std::vector<Line>& lines) {
  const auto sentence = sentence_of(statement.code);
  if (sentence.empty()) lines.push_back({text_of(statement), statement.trouble});
  for (const auto& line : split(sentence, '\n'))
    lines.push_back({filled(line, statement, text_of), statement.trouble});
}

} // namespace

std::vector<Line> lines_of(const Answer& answer) {
  if (answer.statements.empty()) return answer.lines;
  std::vector<Line> lines;
  for (const auto& statement : answer.statements) add_lines(statement, lines);
  return lines;
}

std::string first_line_of(const Answer& answer) {
  auto lines = answer.lines;
  if (!answer.statements.empty()) lines.clear(), add_lines(answer.statements.front(), lines);
  return lines.empty() ? "" : lines.front().text;
}

Answer with_lines(Answer answer) {
  answer.lines = lines_of(answer);
  return answer;
}

} // namespace almanac::gridengine
