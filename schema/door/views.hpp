// What doors show of the cell: views, made of records by the master for those who look.
//
// 1. A view is a struct of its own. What is kept may change, and what is shown stays, and the other
//    way round.
// 2. A view that shows a record's fields as they are has the wire struct of that record; whatever
//    the view leaves out is not sent. One that shows more has a wire struct in door.capnp, where
//    what both have lies in the same place. So tools and masters of different versions read each
//    other (schema/README.md).
// 3. Amounts come printed, as the type of their resource wants it: tools need no configuration.
#pragma once

#include "core/host/host_key.hpp"
#include "core/job/job_line.hpp"
#include "core/job/job.hpp"
#include "core/job/task.hpp"
#include "core/job/task_usage.hpp"
#include "core/policy/priority.hpp"
#include "core/reservation/reservation.hpp"

#include <string>
#include <vector>

namespace almanac::door {

/// A task that has left the queue once. On the wire it is a Task.
struct TaskView {
  std::int64_t number = 0; ///< 0 for a job that is no array
  TaskState state = TaskState::pending;
  bool restarted = false, deleting = false, suspended = false, throttled = false;
  std::string reason; ///< of the error state, of the last failed launch, or what closes it
  std::string pe;
  std::vector<Grant> grants;
  Window booked;
  Instant started;
  ReservationKey attracted_by{}; ///< the reservation that it runs in without -ar; 0: none
  bool suspended_by_user = false, suspended_by_queue = false, suspended_by_slots = false;
  AfterEnd after_end = AfterEnd::gone; ///< where it is being ended
  /// One, what all its hosts reported last; none: nothing is known.
  std::vector<TaskUsage> usage = {};
  /// The topology of its first host with its cores (core/text/topology.hpp); "": bound to none.
  std::string binding{};

  bool is_active() const { return state == TaskState::sent || state == TaskState::running; }
  /// As in qstat's state column; `held`: see ShownJob::is_held().
  std::string letters(bool held) const;
};
template <class V> void describe(V& visit, TaskView& v) {
  visit("number", v.number);
  visit("state", v.state);
  visit("restarted", v.restarted);
  visit("deleting", v.deleting);
  visit("suspended", v.suspended);
  visit("reason", v.reason);
  visit("pe", v.pe);
  visit("grants", v.grants);
  visit("booked", v.booked);
  visit("started", v.started);
  visit("throttled", v.throttled);
  visit("attracted_by", v.attracted_by);
  visit("suspended_by_user", v.suspended_by_user);
  visit("suspended_by_queue", v.suspended_by_queue);
  visit("suspended_by_slots", v.suspended_by_slots);
  visit("after_end", v.after_end);
  visit("usage", v.usage);
  visit("binding", v.binding);
}

/// What is planned for a task that waits. On the wire it is a Hold.
struct HoldView {
  Window window;
  std::string pe;
  std::vector<Grant> grants;
  std::string cause; ///< why it was moved later the last time; "": never
};
template <class V> void describe(V& visit, HoldView& v) {
  visit("window", v.window);
  visit("pe", v.pe);
  visit("grants", v.grants);
  visit("cause", v.cause);
}

/// What is shown of a job's record and of its tasks. On the wire it is a Job.
struct ShownJob {
  JobKey key; ///< as inputs name it (InputSummary)
  JobNumber number;
  Caller owner;
  Instant submitted;
  Shared<JobRequest> request; ///< without the script; of others' jobs without what they are given
  ReservationKey reservation_key;
  std::vector<JobKey> waits_for;
  bool held_by_user = false, held_by_operator = false, held_by_system = false;
  std::vector<TaskRange> fresh; ///< tasks that never left the queue
  std::vector<TaskView> tasks;
  std::vector<HoldView> holds;

  /// By somebody, or by jobs that it waits for.
  bool is_held() const {
    return held_by_user || held_by_operator || held_by_system || !waits_for.empty();
  }
  std::int64_t waiting_tasks() const {
    std::int64_t count = 0;
    for (const auto& range : fresh) count += range.count();
    for (const auto& task : tasks) count += task.state == TaskState::pending;
    return count;
  }
};
template <class V> void describe(V& visit, ShownJob& v) {
  visit("key", v.key);
  visit("number", v.number);
  visit("owner", v.owner);
  visit("submitted", v.submitted);
  visit("request", v.request);
  visit("reservation_key", v.reservation_key);
  visit("waits_for", v.waits_for);
  visit("held_by_user", v.held_by_user);
  visit("held_by_operator", v.held_by_operator);
  visit("held_by_system", v.held_by_system);
  visit("fresh", v.fresh);
  visit("tasks", v.tasks);
  visit("holds", v.holds);
}

struct JobView {
  ShownJob job;
  Priority priority;
  std::string department;
  std::vector<ReservationNumber> attracted_by{}; ///< reservations that its tasks run in without -ar
  // Where details were asked for.
  std::vector<JobNumber> predecessors{}; ///< those that it still waits for
  std::vector<JobNumber> successors{};   ///< those that wait for it
};
template <class V> void describe(V& visit, JobView& v) {
  visit("job", v.job);
  visit("priority", v.priority);
  visit("department", v.department);
  visit("attracted_by", v.attracted_by);
  visit("predecessors", v.predecessors);
  visit("successors", v.successors);
}

/// A resource that a job asks for, by its full name, and what that adds to its urgency, in
/// millionths.
struct AskedResourceView {
  std::string name, value;
  std::int64_t urgency = 0;
};
template <class V> void describe(V& visit, AskedResourceView& v) {
  visit("name", v.name);
  visit("value", v.value);
  visit("urgency", v.urgency);
}

/// What a job asks for, as qstat -r shows it.
struct JobRequestsView {
  std::string pe, slots; ///< "mpi", "2-8"; "": no parallel job
  std::vector<AskedResourceView> hard, soft;
  std::vector<std::string> queues, soft_queues, master_queues;
  std::vector<std::string> predecessors_asked; ///< as they were named
  std::vector<JobNumber> predecessors;         ///< those that it still waits for
};
template <class V> void describe(V& visit, JobRequestsView& v) {
  visit("pe", v.pe);
  visit("slots", v.slots);
  visit("hard", v.hard);
  visit("soft", v.soft);
  visit("queues", v.queues);
  visit("soft_queues", v.soft_queues);
  visit("master_queues", v.master_queues);
  visit("predecessors_asked", v.predecessors_asked);
  visit("predecessors", v.predecessors);
}

struct JobLines {
  JobNumber number;
  Priority priority;
  std::string name, user, project, department;
  std::int64_t posix_priority = 0, override_tickets = 0; ///< as they were asked for
  Instant deadline;                                      ///< 0: none
  std::vector<JobLine> lines;
  std::vector<JobRequestsView> requests{}; ///< one, where they were asked for
  std::int64_t job_share = 0;              ///< as it was asked for
};
template <class V> void describe(V& visit, JobLines& v) {
  visit("number", v.number);
  visit("priority", v.priority);
  visit("name", v.name);
  visit("user", v.user);
  visit("project", v.project);
  visit("department", v.department);
  visit("posix_priority", v.posix_priority);
  visit("override_tickets", v.override_tickets);
  visit("deadline", v.deadline);
  visit("lines", v.lines);
  visit("requests", v.requests);
  visit("job_share", v.job_share);
}

/// An amount of a resource.
struct BookingView {
  Container container;
  Resource resource;
  std::int64_t amount = 0; ///< as it is booked: tools of earlier versions print it themselves
  std::string printed; ///< as a user would type it: 2G, 1.5; "": the master is of such a version

  std::string printed_amount() const { return printed.empty() ? std::to_string(amount) : printed; }
};
template <class V> void describe(V& visit, BookingView& v) {
  visit("container", v.container);
  visit("resource", v.resource);
  visit("amount", v.amount);
  visit("printed", v.printed);
}

/// What is promised: when, where, to whom.
struct ShapeView {
  Window window;
  std::vector<Grant> grants;
  std::vector<BookingView> bookings;
  std::string pe;
  std::vector<std::string> users;
};
template <class V> void describe(V& visit, ShapeView& v) {
  visit("window", v.window);
  visit("grants", v.grants);
  visit("bookings", v.bookings);
  visit("pe", v.pe);
  visit("users", v.users);
}

struct ReservationView {
  ReservationKey key; ///< as inputs name it (InputSummary)
  ReservationNumber number;
  Caller owner;
  Instant submitted;
  ReservationRequest request;
  ReservationPhase phase = ReservationPhase::waiting;
  ShapeView shape;
  std::vector<std::string> bad; ///< "reserved queue q@h is disabled", in the order of the grants
  std::string note;             ///< what a repair did, or what keeps it from being done
  std::vector<Grant> spares{};  ///< -spare: hosts that stand ready
  std::vector<std::string> left_behind{}; ///< "all.q@n2=4 (job 17)"
  Instant offer_until{};                  ///< it is only offered, until then; 0: it is not
  ReservationNumber series{};             ///< that it is an occurrence of; 0: none
  std::string occurrence{}; ///< of a series: "2027-01-18T09:00", by the wall clock of its zone
  std::string operation{};  ///< that is held: reserve, modify, cancel or destroy; "": none
  Instant held_until{};     ///< until when
  std::vector<std::string> lent{}; ///< "all.q@n1=1 (reservation 2)"

  char letter() const; ///< w W r E d x h
};
template <class V> void describe(V& visit, ReservationView& v) {
  visit("key", v.key);
  visit("number", v.number);
  visit("owner", v.owner);
  visit("submitted", v.submitted);
  visit("request", v.request);
  visit("phase", v.phase);
  visit("shape", v.shape);
  visit("bad", v.bad);
  visit("note", v.note);
  visit("spares", v.spares);
  visit("left_behind", v.left_behind);
  visit("offer_until", v.offer_until);
  visit("series", v.series);
  visit("occurrence", v.occurrence);
  visit("operation", v.operation);
  visit("held_until", v.held_until);
  visit("lent", v.lent);
}

/// An occurrence of a series that does not fit: it has no id.
struct ConflictView {
  std::string occurrence; ///< "2027-01-18T09:00", by the wall clock of the zone
  Window window;
  std::string why;
};
template <class V> void describe(V& visit, ConflictView& v) {
  visit("occurrence", v.occurrence);
  visit("window", v.window);
  visit("why", v.why);
}

/// A standing reservation (qrstat -series).
struct SeriesView {
  ReservationNumber number;
  std::string name;
  std::string owner;
  Instant next; ///< start of the first occurrence that has not begun; 0: none is granted
  std::string rule, zone;
  std::int64_t granted = 0; ///< occurrences that are not over
  std::vector<ConflictView> conflicts;
};
template <class V> void describe(V& visit, SeriesView& v) {
  visit("number", v.number);
  visit("name", v.name);
  visit("owner", v.owner);
  visit("next", v.next);
  visit("rule", v.rule);
  visit("zone", v.zone);
  visit("granted", v.granted);
  visit("conflicts", v.conflicts);
}

/// A line of qstat -F: domain g, h or q; source c (consumable), f (fixed) or l (load).
struct ResourceView {
  std::string kind;
  std::string name;
  std::string value;
  std::string shortcut{};
};
template <class V> void describe(V& visit, ResourceView& v) {
  visit("kind", v.kind);
  visit("name", v.name);
  visit("value", v.value);
  visit("shortcut", v.shortcut);
}

/// Of an instance that qmod -d has disabled. On the wire it is a Drain.
struct DrainView {
  std::string why, by;  ///< "": not told, not known
  Instant since, until; ///< 0: not known; until it is enabled by hand

  /// Whether somebody said more than that it is disabled.
  bool is_explained() const { return !why.empty() || until.seconds != 0; }
};
template <class V> void describe(V& visit, DrainView& v) {
  visit("why", v.why);
  visit("by", v.by);
  visit("since", v.since);
  visit("until", v.until);
}

struct InstanceView {
  std::string name, queue, host;
  std::string qtype; ///< of B, I, C, P
  std::string letters;
  std::string reason; ///< of the error state
  std::int64_t sequence = 0;
  std::int64_t reserved = 0;      ///< by reservations that run now
  std::int64_t most_reserved = 0; ///< at any time from now on
  std::int64_t used = 0;
  std::int64_t total = 0;
  std::vector<ResourceView> resources;
  /// What sets it into the states a and A: "alarm hl:np_load_avg=2.015000 load-threshold=1.75".
  std::string load_alarm{}, suspend_alarm{};
  DrainView drain{};
};
template <class V> void describe(V& visit, InstanceView& v) {
  visit("name", v.name);
  visit("queue", v.queue);
  visit("host", v.host);
  visit("qtype", v.qtype);
  visit("letters", v.letters);
  visit("reason", v.reason);
  visit("sequence", v.sequence);
  visit("reserved", v.reserved);
  visit("most_reserved", v.most_reserved);
  visit("used", v.used);
  visit("total", v.total);
  visit("resources", v.resources);
  visit("load_alarm", v.load_alarm);
  visit("suspend_alarm", v.suspend_alarm);
  visit("drain", v.drain);
}

/// What an agent told about its machine. On the wire it is HostFacts.
struct MachineView {
  std::string arch;
  std::int64_t processors = 0;
  std::int64_t memory = 0; ///< bytes
  std::string address;     ///< host:port where other agents reach it
  std::string topology{};  ///< core/text/topology.hpp; "": not known
};
template <class V> void describe(V& visit, MachineView& v) {
  visit("arch", v.arch);
  visit("processors", v.processors);
  visit("memory", v.memory);
  visit("address", v.address);
  visit("topology", v.topology);
}

/// What is shown of a host's record. On the wire it is a HostState.
struct ShownHost {
  std::string name;
  HostPhase phase = HostPhase::unknown;
  MachineView facts;
};
template <class V> void describe(V& visit, ShownHost& v) {
  visit("name", v.name);
  visit("phase", v.phase);
  visit("facts", v.facts);
}

/// What is shown of the register of keys. On the wire it is a HostKey.
struct HostKeyView {
  KeyState state = KeyState::awaited;
  std::string key; ///< public, in hexadecimal digits; "": no agent has come yet
  std::int64_t serial = 0;
  Instant since, expires; ///< expires 0: never
  std::string alarm;      ///< who else came with this key, in words; "": nobody
  Instant alarm_at;
};
template <class V> void describe(V& visit, HostKeyView& v) {
  visit("state", v.state);
  visit("key", v.key);
  visit("serial", v.serial);
  visit("since", v.since);
  visit("expires", v.expires);
  visit("alarm", v.alarm);
  visit("alarm_at", v.alarm_at);
}

/// Loads in hundredths, memory in bytes; -1 where not known.
struct HostView {
  ShownHost state;
  HostLoad load;        ///< as measured last
  std::string notice{}; ///< what is wrong with its agent, in a sentence
  HostKeyView key{};
  std::vector<ResourceView> resources{}; ///< of it and the cell, where they were asked for
};
template <class V> void describe(V& visit, HostView& v) {
  visit("state", v.state);
  visit("load", v.load);
  visit("notice", v.notice);
  visit("key", v.key);
  visit("resources", v.resources);
}

struct ActorView {
  std::int64_t id = 0;
  std::string kind;
  std::string name;
  std::int64_t age = 0; ///< seconds
};
template <class V> void describe(V& visit, ActorView& v) {
  visit("id", v.id);
  visit("kind", v.kind);
  visit("name", v.name);
  visit("age", v.age);
}

} // namespace almanac::door
