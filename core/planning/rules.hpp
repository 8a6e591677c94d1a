// The rules for each input: functions over the state that change records and answer.
//
// Each file beside this one holds one family. None reads a clock: `now` is given.
#pragma once

#include "core/matching/assignment.hpp"
#include "core/planning/fact.hpp"
#include "core/policy/standing.hpp"

#include <set>
#include <string>
#include <vector>

namespace almanac::rules {

// ---- submission.cpp: what becomes a job --------------------------------------------------------
Answer submit(State& state, const Caller& caller, const Submit& command, Instant now);
/// -w v and -w p: would it fit? Changes nothing.
Answer verify(const State& state, const Caller& caller, const Submit& command, Instant now);

// ---- requests.cpp: what may be asked for ------------------------------------------------------
/// Why no records of that owner are taken that take up `more` bytes, beside the `kept` bytes of
/// those that are there (qmaster_params MAX_USER_MB); managers may keep what they like.
std::optional<std::string> keep_obstacle(const State& state, const Caller& owner, std::int64_t kept,
                                         std::int64_t more);

/// What the owner of a job may not ask for, or the caller not for the owner, as far as it differs
/// from what the job asked for before.
std::optional<std::string> request_obstacle(const State& state, const Caller& caller,
                                            const Caller& owner, const JobRequest& request,
                                            const JobRequest& before);

// ---- deletion.cpp: qdel -----------------------------------------------------------------------
Answer delete_jobs(State& state, const Caller& caller, const DeleteJobs& command, Instant now);

// ---- job_commands.cpp: qhold, qrls, qmod -cj --------------------------------------------------
Answer change_hold(State& state, const Caller& caller, const ChangeHold& command);
Answer clear_job_errors(State& state, const Caller& caller, const ClearJobErrors& command);
/// Nothing of what is listed belongs to them.
Answer no_jobs_of(const std::vector<std::string>& users);
/// Of one request that would have too much written anew; see Rewriting.
std::string too_much_from(const std::string& job_number);
/// Likewise; see SingleTasks.
std::string too_many_tasks_from(const std::string& job_number);

// ---- alteration.cpp: qalter -------------------------------------------------------------------
Answer alter_jobs(State& state, const Caller& caller, const AlterJobs& command, Instant now);

// ---- queue_commands.cpp: qmod -d -e -sq -usq -cq ----------------------------------------------
Answer modify_queues(State& state, const Caller& caller, const ModifyQueues& command);

// ---- hours.cpp: calendars ---------------------------------------------------------------------
/// Opens and closes the instances whose calendar has turned; true if any did.
bool keep_hours(State& state, Instant now);
/// Tasks on these hosts stop and go on with any of the instances they hold. How many were looked
/// at.
std::size_t follow_suspension(State& state, const std::set<std::string>& hosts);

// ---- throttling.cpp: suspend thresholds -------------------------------------------------------
/// Suspends tasks of instances that have reached a threshold, nsuspend at a time; lets them go on.
void throttle(State& state, Instant now);

// ---- reservation_commands.cpp: qrsub, qrdel, and two-phase reserving --------------------------
Answer reserve(State& state, const Caller& caller, const Reserve& command, Instant now);
Answer verify(const State& state, const Caller& caller, const Reserve& command, Instant now);
Answer prepare(State& state, const Caller& caller, const PrepareReservation& command, Instant now);
Answer settle(State& state, const Caller& caller, const SettleReservation& command, Instant now);
Answer delete_reservations(State& state, const Caller& caller, const DeleteReservations& command,
                           Instant now);
void reservation_due(State& state, std::int64_t key, Instant now);
/// Recomputes what is wrong with reserved instances, after hosts or instances changed.
void refresh_reservation_health(State& state);
/// The same after something has changed on this host only. How many were looked at.
std::size_t refresh_reservation_health(State& state, const std::string& host);
/// Notes what is wrong with a reservation now, and who is to be told.
void note_health(State& state, Reservation& reservation, std::vector<std::string> bad);
/// Removes an ending reservation when its last task has gone.
void remove_if_done(State& state, std::int64_t reservation_key);

// ---- mail.cpp: who is told by mail ------------------------------------------------------------
/// While the task still holds its place.
void mail(State& state, Occasion occasion, const Job& job, const Task& task,
          const ExitRecord& record = {});
/// About one that did not run; `number` 0: about all its tasks.
void mail(State& state, Occasion occasion, const Job& job, std::int64_t number,
          const ExitRecord& record);
void mail(State& state, Occasion occasion, const Reservation& reservation);

// ---- repair.cpp: reservations that lost a part of what they hold -------------------------------
/// Replaces what is lost by healthy capacity, where that is wanted, and undoes it when all that was
/// granted is well again; no task is touched. Notes what can't be done, and why.
void repair_reservations(State& state, Instant now);

// ---- configuration_commands.cpp: qconf --------------------------------------------------------
Answer configure(State& state, const Caller& caller, const Configure& command, Instant now);
/// Drops the orphaned queue instances that no reservation holds any more.
void drop_orphans(State& state);
Answer add_host(State& state, const Caller& caller, const AddHost& command, Instant now);
Answer change_host_key(State& state, const Caller& caller, const ChangeHostKey& command,
                       Instant now);
/// Managers alone see actors, messages and the journal.
Answer may_look_inside(const State& state, const Caller& caller);
/// The master runs on this host: it becomes an admin and submit host, and stays one.
void settle_on(State& state, const std::string& host);

// ---- references.cpp: what jobs and reservations refer to ---------------------------------------
/// Why the object can't be deleted yet; nothing if nobody refers to it.
std::optional<std::string> reference_to(const State& state, ObjectKind kind,
                                        const std::string& name);
/// Guards G5 and G8 to G10: why a PE can't leave a queue, or a user lose the way in.
std::optional<std::string> lost_access(const State& state, const Configuration& next,
                                       const std::vector<ConfigurationChange>& changes);
/// Why complexes can't go or mean something else, as they would in `next`.
std::optional<std::string> changed_meaning(const State& state, const Configuration& next);

// ---- facts.cpp: what is reported of tasks ---------------------------------------------------
void task_started(State& state, const TaskStarted& fact, Instant now);
void launch_failed(State& state, const LaunchFailed& fact, Instant now);
void task_ended(State& state, const TaskEnded& fact, Instant now);
void task_lost(State& state, const TaskLost& fact, Instant now);
void part_silent(State& state, const PartSilent& fact);
void task_fenced(State& state, const TaskFenced& fact, Instant now);
void task_overdue(State& state, const TaskOverdue& fact, Instant now);
/// Books on what runs beyond the end of its booking, so that nothing is put in its place.
void extend_overdue(State& state, Instant now);

// ---- host_facts.cpp: what hosts say of themselves ----------------------------------------------
/// Why the agent does not get the name of its host; nothing: it has it now.
std::optional<Answer> host_registered(State& state, const HostRegistered& fact, Instant now);
void host_silent(State& state, const HostSilent& fact, Instant now);
void load_changed(State& state, const LoadChanged& fact);

// ---- facts.cpp: what becomes of tasks -----------------------------------------------------------
/// Takes an active task's record away: bookings released, accounting written.
void finish_task(State& state, std::int64_t job_key, std::int64_t task, const ExitRecord& record,
                 Instant now);
/// Removes a task that is not running.
void drop_waiting_tasks(State& state, std::int64_t job_key, const std::vector<std::int64_t>& tasks);
/// Of tasks that are removed before they run, and not by their owner's will: accounting tells of
/// them and of why, with one record for all that never left the queue, and the owner gets a mail if
/// asked for.
void tell_of_waiting(State& state, const Job& job, const std::string& reason, Instant now);
/// Removes all tasks that are not running.
void forget_waiting(State& state, std::int64_t job_key);
/// The same, and tells of them.
void drop_all_waiting(State& state, std::int64_t job_key, const std::string& reason, Instant now);
/// Erases a job of which nothing is active; who waits for it is freed by free_successors().
void erase_job(State& state, std::int64_t job_key);
/// The same if nothing of it is left.
void erase_if_finished(State& state, std::int64_t job_key);
/// Frees jobs all of whose predecessors are gone, as many as one input may write anew; true if
/// there were any.
bool free_successors(State& state);

// ---- pass.cpp: who starts ---------------------------------------------------------------------
/// A slice ends after so much work; then other requests get their turn.
struct SliceLimits {
  int starts = 256;
  int looks = 300;
};
/// Starts what can be started and holds what is to be held, a slice at a time; true if there is
/// more to look at.
bool pass(State& state, Instant now, SliceLimits limits = {});

// ---- explanation.cpp: why a job waits ---------------------------------------------------------
/// In sentences, with numbers (qstat -j).
std::vector<std::string> explain(State& state, const Job& job, Instant now);
/// With what it would start now: the longest run time, the most slots. Each comes true when it is
/// submitted in the same state.
std::vector<std::string> alternatives(const State& state, const Job& job, Instant now);

} // namespace almanac::rules
