// What becomes of jobs and their tasks.
#pragma once

#include "core/job/exit_record.hpp"
#include "core/job/task_machine.hpp"
#include "core/planning/state.hpp"

#include <set>
#include <string>
#include <vector>

namespace almanac::rules {

/// The only way into another state: the one that the table of core/job/task_machine.hpp names.
/// Nothing else of the task changes. A broken promise where the table names none.
void change_state(Task& task, TaskEvent event);

/// Takes an active task's record away: bookings released, accounting written.
void finish_task(State& state, const TaskId& task, const ExitRecord& record, Instant now);

/// Whether nobody waits for it any more: its reservation has ended, its first host is lost, and its own
/// time is over, too.
bool is_written_off(const State& state, const Task& task, Instant now);
void write_off(State& state, const TaskId& task, Instant now);

/// An active task gives back what it holds and waits again.
void return_to_queue(State& state, const TaskId& task, bool restarted, const std::string& reason);

/// The same, and it waits until its error is cleared.
void put_into_error(State& state, const TaskId& task, const std::string& reason);

/// Removes a task that is not running.
void drop_waiting_tasks(State& state, JobKey job_key, const std::vector<std::int64_t>& tasks);

/// Of tasks that are removed before they run, and not by their owner's will: accounting tells of
/// them and of why, with one record for all that never left the queue, and the owner gets a mail if
/// asked for.
void tell_of_waiting(State& state, const Job& job, const std::string& reason, Instant now);

/// Removes all tasks that are not running.
void forget_waiting(State& state, JobKey job_key);

/// The same, and tells of them.
void drop_all_waiting(State& state, JobKey job_key, const std::string& reason, Instant now);

/// Erases a job of which nothing is active with all its records; its reservation is left alone.
void erase_with_tasks(State& state, JobKey job_key);

/// The same, and its reservation goes if it is done; who waits for it is freed by free_successors().
void erase_job(State& state, JobKey job_key);

/// The same if nothing of it is left.
void erase_if_finished(State& state, JobKey job_key);

/// Frees jobs all of whose predecessors are gone, as many as one input may write anew; true if
/// there were any.
bool free_successors(State& state);

/// Tasks on these hosts stop and go on with any of the instances they hold. How many were looked
/// at.
std::size_t follow_suspension(State& state, const std::set<std::string>& hosts);

} // namespace almanac::rules
