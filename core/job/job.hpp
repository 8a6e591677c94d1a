// A job as it is asked for and as it is kept.
//
// 1. An array is one job; a task that never left the queue is only a number in `fresh`.
// 2. A task holds bookings exactly while it has grants.
// 3. `key` is never reused; `number` is what users see.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/caller.hpp"
#include "core/base/time.hpp"
#include "core/text/ranges.hpp"
#include "core/utilization/booking.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

enum class Rerun : std::uint8_t { as_queue, yes, no };
template <> inline constexpr Rerun last_of<Rerun> = Rerun::no;

/// -w: none, error, warning, verify (empty cluster), poke (as it is).
enum class Validation : std::uint8_t { unset, none, error, warning, verify, poke };
template <> inline constexpr Validation last_of<Validation> = Validation::poke;

/// What `qsub` asks for. Paths are as the user wrote them; "" where not given.
struct JobRequest {
  std::string name;
  std::string account = "sge";
  bool binary = false;
  bool direct = false; ///< -shell n: with -b y, the words are executed as they are, by no shell
  Bytes script;        ///< content, empty with -b y
  std::string command; ///< path of the script or program
  std::vector<std::string> arguments;
  std::string shell;
  std::vector<Attribute> environment; ///< -v and -V
  std::vector<Attribute> origin;      ///< SGE_O_*: where it was submitted
  std::string directory;              ///< -cwd, -wd
  std::string output, error;          ///< -o, -e
  bool join = false;
  std::vector<Attribute> resources; ///< -l
  std::vector<std::string> queues;  ///< -q
  std::string pe;
  std::vector<SlotRange> slots; ///< with -pe
  TaskRange tasks;
  std::int64_t priority = 0;
  Instant execution_time;
  bool held_by_user = false;
  std::vector<std::string> predecessors; ///< -hold_jid
  ReservationNumber reservation;         ///< -ar
  bool reserve = false;                  ///< -R
  Rerun rerun = Rerun::as_queue;
  Validation validation = Validation::unset;
  bool notify = false;                    ///< a signal some time before SIGKILL and SIGSTOP
  Instant deadline;                       ///< -dl; 0: none
  std::int64_t most_running = 0;          ///< -tc: tasks of the array at the same time; 0: no limit
  std::vector<Attribute> soft_resources;  ///< -soft -l
  std::vector<std::string> soft_queues;   ///< -soft -q
  std::vector<std::string> master_queues; ///< -masterq
  bool immediate = false;                 ///< -now y: at once or not at all
  std::string project;                    ///< -P; "": none
  std::int64_t job_share = 0;             ///< -js
  std::int64_t override_tickets = 0;      ///< -ot
  std::string mail_at;                    ///< -m: letters of "beas"; "": no mail
  std::vector<std::string> mail_to;       ///< -M; none: the owner

  bool operator==(const JobRequest&) const = default;
};
template <class V> void describe(V& visit, JobRequest& r) {
  visit("name", r.name);
  visit("account", r.account);
  visit("binary", r.binary);
  visit("script", r.script);
  visit("command", r.command);
  visit("arguments", r.arguments);
  visit("shell", r.shell);
  visit("environment", r.environment);
  visit("origin", r.origin);
  visit("directory", r.directory);
  visit("output", r.output);
  visit("error", r.error);
  visit("join", r.join);
  visit("resources", r.resources);
  visit("queues", r.queues);
  visit("pe", r.pe);
  visit("slots", r.slots);
  visit("tasks", r.tasks);
  visit("priority", r.priority);
  visit("execution_time", r.execution_time);
  visit("held_by_user", r.held_by_user);
  visit("predecessors", r.predecessors);
  visit("reservation", r.reservation);
  visit("reserve", r.reserve);
  visit("rerun", r.rerun);
  visit("validation", r.validation);
  visit("notify", r.notify);
  visit("deadline", r.deadline);
  visit("most_running", r.most_running);
  visit("soft_resources", r.soft_resources);
  visit("soft_queues", r.soft_queues);
  visit("master_queues", r.master_queues);
  visit("immediate", r.immediate);
  visit("project", r.project);
  visit("job_share", r.job_share);
  visit("override_tickets", r.override_tickets);
  visit("mail_at", r.mail_at);
  visit("mail_to", r.mail_to);
  visit("direct", r.direct);
}

/// Slots on one queue instance; the first of a list is where the job's script runs.
struct Grant {
  InstanceName instance;
  std::int64_t slots = 0;
  bool operator==(const Grant&) const = default;
};
template <class V> void describe(V& visit, Grant& grant) {
  visit("instance", grant.instance);
  visit("slots", grant.slots);
}

/// What is held for a task of a waiting job (-R y): kept between passes (ruling on holds in
/// spec/rulings.md). It moves earlier freely, later only for the cause that it then names.
struct Hold {
  Window window;
  std::string pe;
  std::vector<Grant> grants;
  std::vector<Booking> bookings;
  std::string cause; ///< why it was moved later the last time; "": never
  bool operator==(const Hold&) const = default;
};
template <class V> void describe(V& visit, Hold& hold) {
  visit("window", hold.window);
  visit("pe", hold.pe);
  visit("grants", hold.grants);
  visit("bookings", hold.bookings);
  visit("cause", hold.cause);
}

//   pending --placed--> sent --forked--> running --end--> (gone)
//      ^                 |                  |
//      '--- launch failed; exit 99, lost ---+--- exit 100, the user's fault ---> error
//      '-------------------------------- qmod -cj --------------------------------'
enum class TaskState : std::uint8_t { pending, sent, running, error };
template <> inline constexpr TaskState last_of<TaskState> = TaskState::error;

/// What comes of a task that is being ended once its first host says that it has: it goes, is tried
/// again, or waits in the error state.
enum class AfterEnd : std::uint8_t { gone, again, error };
template <> inline constexpr AfterEnd last_of<AfterEnd> = AfterEnd::error;

struct Task {
  std::int64_t number = 0; ///< 0 for a job that is no array
  TaskState state = TaskState::pending;
  std::int64_t attempt = 0; ///< launches decided so far
  bool restarted = false;
  bool deleting = false;               ///< it is being ended
  AfterEnd after_end = AfterEnd::gone; ///< where it is being ended
  bool suspended = false;              ///< with the queue instance, or since its load was too high
  bool throttled = false;              ///< the latter: a suspend threshold was reached
  Duration fence;     ///< it ends itself when its host is cut off for so long; 0: never
  std::string reason; ///< of the error state, or of the last failed launch
  std::string pe;
  std::vector<Grant> grants;
  std::vector<Booking> bookings;
  Window booked;
  Duration limit = Duration::endless(); ///< wall clock, enforced by the shepherd
  Duration soft_limit = Duration::endless();
  Instant started;
  Instant rests_until{}; ///< asked for another try: pending, and not placed before; 0: it may be

  bool is_active() const { return state == TaskState::sent || state == TaskState::running; }
  bool rests() const { return state == TaskState::pending && rests_until.seconds > 0; }
};
template <class V> void describe(V& visit, Task& t) {
  visit("number", t.number);
  visit("state", t.state);
  visit("attempt", t.attempt);
  visit("restarted", t.restarted);
  visit("deleting", t.deleting);
  visit("suspended", t.suspended);
  visit("reason", t.reason);
  visit("pe", t.pe);
  visit("grants", t.grants);
  visit("bookings", t.bookings);
  visit("booked", t.booked);
  visit("limit", t.limit);
  visit("soft_limit", t.soft_limit);
  visit("started", t.started);
  visit("throttled", t.throttled);
  visit("fence", t.fence);
  visit("rests_until", t.rests_until);
  visit("after_end", t.after_end);
}

struct Job {
  JobKey key;
  JobNumber number;
  Caller owner;
  Instant submitted;
  JobRequest request; ///< without the script's content
  std::string script_hash;
  ReservationKey reservation_key;
  std::vector<JobKey> waits_for; ///< its predecessors, until the last one is gone
  bool held_by_user = false, held_by_operator = false, held_by_system = false;
  std::vector<TaskRange> fresh; ///< tasks that never left the queue, ascending
  std::vector<Task> tasks;      ///< all others that are not finished, by number
  std::vector<Hold> holds;      ///< by start; one for each of the tasks that are next, at the most
  std::int64_t script_bytes = 0;

  Task* find(std::int64_t task);
  const Task* find(std::int64_t task) const;
  bool is_held() const { return held_by_user || held_by_operator || held_by_system; }
  bool is_finished() const { return fresh.empty() && tasks.empty(); }
  std::int64_t active_tasks() const;
  /// Whether a task of it may be placed, as far as the record itself tells: it is not held, waits
  /// for no other job, and has a task in the queue.
  bool is_eligible() const { return !is_held() && waits_for.empty() && next_waiting() >= 0; }
  std::int64_t waiting_tasks() const;
  std::int64_t resting_tasks() const; ///< of those
  /// Takes a task out of `fresh`; false if it is not in there.
  bool take_fresh(std::int64_t task);
  /// The task that is next to be placed: a returned one, else the first fresh one; -1 for none.
  std::int64_t next_waiting() const;
  /// The tasks that are next, in that order, `most` at the most.
  std::vector<std::int64_t> next_waiting(std::size_t most) const;
  /// The task as a record of its own, made from `fresh` if need be. A broken promise if there is
  /// none.
  Task& materialise(std::int64_t task);
};
template <class V> void describe(V& visit, Job& j) {
  visit("key", j.key);
  visit("number", j.number);
  visit("owner", j.owner);
  visit("submitted", j.submitted);
  visit("request", j.request);
  visit("script_hash", j.script_hash);
  visit("reservation_key", j.reservation_key);
  visit("waits_for", j.waits_for);
  visit("held_by_user", j.held_by_user);
  visit("held_by_operator", j.held_by_operator);
  visit("held_by_system", j.held_by_system);
  visit("fresh", j.fresh);
  visit("tasks", j.tasks);
  visit("holds", j.holds);
  visit("script_bytes", j.script_bytes);
}

/// The tasks of the ranges but for those, which ascend.
std::vector<TaskRange> tasks_without(const std::vector<TaskRange>& ranges,
                                     const std::vector<std::int64_t>& gone);

/// What the job says that it takes: the larger of h_rt and s_rt (ruling); endless for neither.
Duration asked_length(const JobRequest& request);
/// When it is ended: h_rt; endless for none.
Duration asked_limit(const JobRequest& request);
Duration asked_soft_limit(const JobRequest& request);
/// What reservations can count on: its length, endless without h_rt since s_rt only signals
/// (ruling).
Duration sure_length(const JobRequest& request);

/// Slots to count with before they are granted: the least of the range.
std::int64_t least_slots(const JobRequest& request);

/// The letters of qstat's state column (spec/cli.md section 5.1).
/// `held` covers unfinished predecessors.
std::string state_letters(const Task& task, bool held);

} // namespace almanac
