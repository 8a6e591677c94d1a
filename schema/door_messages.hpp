// What tools and doors say to each other, as plain values. A request is one frame; an answer is a
// sequence of frames of which the last has `done`.
//
// New alternatives go at the end of a variant: their index is their number on the wire.
#pragma once

#include "core/answer/answer.hpp"
#include "core/job/whole_job.hpp"
#include "core/job/accounting_record.hpp"
#include "core/job/job_line.hpp"
#include "core/planning/input_summary.hpp"
#include "core/policy/priority.hpp"
#include "core/request/command.hpp"

#include <string>
#include <variant>
#include <vector>

namespace almanac::door {

inline constexpr std::size_t largest_request = 1 << 20;
inline constexpr std::size_t largest_frame = 256
                                             << 10; ///< of an answer; a single record may be larger
inline constexpr std::int64_t protocol_version = 1;

// ---- requests -------------------------------------------------------------------------------

struct RunCommand {
  CommandBody body;
};
template <class V> void describe(V& visit, RunCommand& r) { visit("body", r.body); }

/// -w v and -w p of qsub.
struct AskSubmit {
  Submit command;
};
template <class V> void describe(V& visit, AskSubmit& r) { visit("command", r.command); }

/// -w v of qrsub.
struct AskReserve {
  Reserve command;
};
template <class V> void describe(V& visit, AskReserve& r) { visit("command", r.command); }

/// Why does this job wait?
struct AskWhy {
  std::int64_t job = 0;
  bool alternatives = false;
};
template <class V> void describe(V& visit, AskWhy& r) {
  visit("job", r.job);
  visit("alternatives", r.alternatives);
}

/// All jobs of these users, as lines of qstat.
struct GetLines {
  std::vector<std::string> users; ///< as of GetJobs
  bool all_grants = false;        ///< -f
};
template <class V> void describe(V& visit, GetLines& r) {
  visit("users", r.users);
  visit("all_grants", r.all_grants);
}

/// Jobs by ids, names or patterns, of users ("$user", patterns); empty lists mean all.
struct GetJobs {
  std::vector<std::string> jobs;
  std::vector<std::string> users;
  bool detail = false; ///< with environment and arguments
};
template <class V> void describe(V& visit, GetJobs& r) {
  visit("jobs", r.jobs);
  visit("users", r.users);
  visit("detail", r.detail);
}

struct GetReservations {};
template <class V> void describe(V&, GetReservations&) {}

/// Hosts and queue instances.
struct GetCluster {};
template <class V> void describe(V&, GetCluster&) {}

struct GetObjects {
  ObjectKind kind = ObjectKind::cluster_queue;
};
template <class V> void describe(V& visit, GetObjects& r) { visit("kind", r.kind); }

struct GetAccounting {};
template <class V> void describe(V&, GetAccounting&) {}

/// Answered when the job has left the system, with the exit status of its last task.
struct AwaitJob {
  std::int64_t job = 0;
};
template <class V> void describe(V& visit, AwaitJob& r) { visit("job", r.job); }

struct ListActors {};
template <class V> void describe(V&, ListActors&) {}

struct InspectActor {
  std::int64_t actor = 0;
  bool json = false;
};
template <class V> void describe(V& visit, InspectActor& r) {
  visit("actor", r.actor);
  visit("json", r.json);
}

/// What the planner was told, from the journal.
struct GetInputs {
  std::int64_t after = 0; ///< those with a higher sequence number; negative: the last so many
};
template <class V> void describe(V& visit, GetInputs& r) { visit("after", r.after); }

/// qrsh -inherit: a process of a running parallel job on another of its hosts.
struct Inherit {
  std::int64_t job = 0; ///< number
  std::int64_t task = 0;
  std::string host;
  std::vector<std::string> command;
  std::vector<Attribute> environment;
  std::string directory;
  bool input = false; ///< InheritInput follows
};
template <class V> void describe(V& visit, Inherit& r) {
  visit("job", r.job);
  visit("task", r.task);
  visit("host", r.host);
  visit("command", r.command);
  visit("environment", r.environment);
  visit("directory", r.directory);
  visit("input", r.input);
}

/// Standard input for the process of an Inherit request on the same connection: not answered. What
/// was taken is told on another connection, and answered.
struct InheritInput {
  std::string request; ///< the id of that request
  Bytes content;
  bool end = false;
  std::int64_t taken = 0; ///< bytes of output that were read since the last time: more may come
};
template <class V> void describe(V& visit, InheritInput& r) {
  visit("request", r.request);
  visit("content", r.content);
  visit("end", r.end);
  visit("taken", r.taken);
}

/// What an actor is told from now on, and was told after the message numbered `after`, if somebody
/// asked before.
struct GetMessages {
  std::int64_t actor = 0;
  std::int64_t after = 0;
};
template <class V> void describe(V& visit, GetMessages& r) {
  visit("actor", r.actor);
  visit("after", r.after);
}

using RequestBody =
    std::variant<RunCommand, AskSubmit, AskReserve, AskWhy, GetJobs, GetReservations, GetCluster,
                 GetObjects, GetAccounting, AwaitJob, ListActors, InspectActor, Inherit,
                 InheritInput, GetInputs, GetLines, GetMessages>;

struct Request {
  std::int64_t version = protocol_version;
  std::string id; ///< made by the client; a repetition gets the same answer
  RequestBody body;
};
template <class V> void describe(V& visit, Request& r) {
  visit("version", r.version);
  visit("id", r.id);
  visit("body", r.body);
}

/// What a frame to the TCP door holds: an encoded Request, and who says so. Its MUNGE credential is
/// over the SHA-256 of the TLS channel's binding, nonce and request; each try has a new one.
struct SealedRequest {
  Bytes request;
  Bytes nonce; ///< 16 random bytes
  std::string credential;
};
template <class V> void describe(V& visit, SealedRequest& s) {
  visit("request", s.request);
  visit("nonce", s.nonce);
  visit("credential", s.credential);
}

// ---- replies --------------------------------------------------------------------------------

struct JobView {
  WholeJob job;
  Priority priority;
  std::string department;
};
template <class V> void describe(V& visit, JobView& v) {
  visit("job", v.job);
  visit("priority", v.priority);
  visit("department", v.department);
}

struct Jobs {
  std::vector<JobView> jobs;
  std::vector<std::string> unknown;
};
template <class V> void describe(V& visit, Jobs& v) {
  visit("jobs", v.jobs);
  visit("unknown", v.unknown);
}

struct JobLines {
  std::int64_t number = 0;
  Priority priority;
  std::string name, user, project, department;
  std::int64_t posix_priority = 0, override_tickets = 0; ///< as they were asked for
  Instant deadline;                                      ///< 0: none
  std::vector<JobLine> lines;
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
}

struct Lines {
  std::vector<JobLines> jobs;
  std::string notice{}; ///< of the cell, for whoever looks; ""
};
template <class V> void describe(V& visit, Lines& v) {
  visit("jobs", v.jobs);
  visit("notice", v.notice);
}

struct Reservations {
  std::vector<Reservation> reservations;
};
template <class V> void describe(V& visit, Reservations& v) {
  visit("reservations", v.reservations);
}

/// A line of qstat -F: domain g, h or q; source c (consumable), f (fixed) or l (load).
struct ResourceView {
  std::string kind;
  std::string name;
  std::string value;
};
template <class V> void describe(V& visit, ResourceView& v) {
  visit("kind", v.kind);
  visit("name", v.name);
  visit("value", v.value);
}

struct InstanceView {
  std::string name, queue, host;
  std::string qtype; ///< of B, I, P
  std::string letters;
  std::string reason; ///< of the error state
  std::int64_t sequence = 0;
  std::int64_t reserved = 0;      ///< by reservations that run now
  std::int64_t most_reserved = 0; ///< at any time from now on
  std::int64_t used = 0;
  std::int64_t total = 0;
  std::vector<ResourceView> resources;
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
}

/// Loads in hundredths, memory in bytes; -1 where not known.
struct HostView {
  HostState state;
  HostLoad load;        ///< as measured last
  std::string notice{}; ///< what is wrong with its agent, in a sentence
  HostKey key{};
};
template <class V> void describe(V& visit, HostView& v) {
  visit("state", v.state);
  visit("load", v.load);
  visit("notice", v.notice);
  visit("key", v.key);
}

struct Cluster {
  std::vector<InstanceView> instances;
  std::vector<HostView> hosts;
  std::string notice{}; ///< of the cell, for whoever looks; ""
};
template <class V> void describe(V& visit, Cluster& v) {
  visit("instances", v.instances);
  visit("hosts", v.hosts);
  visit("notice", v.notice);
}

struct Objects {
  std::vector<ConfigurationObject> objects;
};
template <class V> void describe(V& visit, Objects& v) { visit("objects", v.objects); }

struct Accounting {
  std::vector<AccountingRecord> records;
};
template <class V> void describe(V& visit, Accounting& v) { visit("records", v.records); }

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

struct Actors {
  std::vector<ActorView> actors;
};
template <class V> void describe(V& visit, Actors& v) { visit("actors", v.actors); }

/// Oldest first; not all of them at once: ask again with the last number.
struct InputSummaries {
  std::vector<InputSummary> inputs;
};
template <class V> void describe(V& visit, InputSummaries& v) { visit("inputs", v.inputs); }

/// Output of a process: an actor's state, or what a job's process wrote.
struct Output {
  Bytes content;
  bool error = false;
  std::int64_t room = 0; ///< so many bytes more of the input of an Inherit may be sent
};
template <class V> void describe(V& visit, Output& v) {
  visit("content", v.content);
  visit("error", v.error);
  visit("room", v.room);
}

/// Too much in flight: ask again later, with the same id.
struct TracedMessage {
  std::int64_t sequence = 0; ///< since the actor is followed
  std::int64_t at_ms = 0;    ///< since 1970
  std::int64_t sender = 0;   ///< the actor's id; 0: none of this process
  std::string what;
};
template <class V> void describe(V& visit, TracedMessage& v) {
  visit("sequence", v.sequence);
  visit("at_ms", v.at_ms);
  visit("sender", v.sender);
  visit("what", v.what);
}
struct TracedMessages {
  std::vector<TracedMessage> messages;
};
template <class V> void describe(V& visit, TracedMessages& v) { visit("messages", v.messages); }

struct Busy {
  std::int64_t retry_after_ms = 0;
};
template <class V> void describe(V& visit, Busy& v) { visit("retry_after_ms", v.retry_after_ms); }

using ReplyBody = std::variant<Answer, Jobs, Reservations, Cluster, Objects, Accounting, Actors,
                               Output, Busy, InputSummaries, Lines, TracedMessages>;

struct Reply {
  bool done = true;
  ReplyBody body;
};
template <class V> void describe(V& visit, Reply& r) {
  visit("done", r.done);
  visit("body", r.body);
}

} // namespace almanac::door
