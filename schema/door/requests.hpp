// What tools ask doors for, as plain values. A request is one frame; what answers it is in
// replies.hpp.
//
// New alternatives go at the end of a variant: their index is their number on the wire.
#pragma once

#include "core/configuration/objects/object.hpp"
#include "core/job/accounting_filter.hpp"
#include "core/job/attempt.hpp"
#include "core/planning/input_filter.hpp"
#include "core/request/command.hpp"
#include "core/request/instance_selection.hpp"
#include "core/request/quota_selection.hpp"

#include <string>
#include <variant>
#include <vector>

namespace almanac::door {

inline constexpr std::size_t largest_request = 1 << 20;
/// 2: answers are statements, no longer lines.
inline constexpr std::int64_t protocol_version = 2;

struct RunCommand {
  CommandBody body;
  /// None or one: with the key of the reservation that the command is about. What it proves is all
  /// the rest of this request, in canonical bytes (schema/codec.hpp).
  std::vector<ReservationClaim> claim{};
  std::vector<OnBehalf> whom{}; ///< none or one: for whom, if that is not the caller
};
template <class V> void describe(V& visit, RunCommand& r) {
  visit("body", r.body);
  visit("claim", r.claim);
  visit("whom", r.whom);
}

/// -w v and -w p of qsub, and of qalter: jobs that are there, as they would be changed.
struct AskSubmit {
  Submit command;
  AlterJobs jobs{}; ///< the jobs that are meant; none: it is a new one
};
template <class V> void describe(V& visit, AskSubmit& r) {
  visit("command", r.command);
  visit("jobs", r.jobs);
}

/// -w v and -w p of qrsub, and what it says with a refusal.
struct AskReserve {
  Reserve command;
  bool price = false;        ///< -w p: and what it would cost others
  bool alternatives = false; ///< of what is refused: what could be had instead
};
template <class V> void describe(V& visit, AskReserve& r) {
  visit("command", r.command);
  visit("price", r.price);
  visit("alternatives", r.alternatives);
}

/// -w v and -w p of qralter.
struct AskAlterReservation {
  AlterReservation command;
  bool price = false; ///< -w p: and what it would cost others
};
template <class V> void describe(V& visit, AskAlterReservation& r) {
  visit("command", r.command);
  visit("price", r.price);
}

/// Why does this job wait?
struct AskWhy {
  JobNumber job;
  bool alternatives = false;
};
template <class V> void describe(V& visit, AskWhy& r) {
  visit("job", r.job);
  visit("alternatives", r.alternatives);
}

/// All jobs of these users, as lines of qstat.
struct GetLines {
  std::vector<std::string> users; ///< as of GetJobs
  bool all_grants = false;        ///< -f, -g t
  bool requests = false;          ///< -r
  /// Only jobs that run on these instances, or that wait and could.
  InstanceSelection selection{};
};
template <class V> void describe(V& visit, GetLines& r) {
  visit("users", r.users);
  visit("all_grants", r.all_grants);
  visit("requests", r.requests);
  visit("selection", r.selection);
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

/// Reservations by numbers, names or patterns, of users (as of GetJobs); empty lists mean all. The
/// number of a series means it and all its occurrences.
struct GetReservations {
  std::vector<std::string> reservations;
  std::vector<std::string> users;
  bool usable = false; ///< only granted ones that the caller is admitted to (qsub -ar)
  bool offers = false; ///< only those that are not granted, but offered (qrsub -offer)
  bool series = false; ///< the series that are meant, and none of their occurrences
  bool past = false;   ///< also those that are held, canceled, or over and still kept
};
template <class V> void describe(V& visit, GetReservations& r) {
  visit("reservations", r.reservations);
  visit("users", r.users);
  visit("usable", r.usable);
  visit("offers", r.offers);
  visit("series", r.series);
  visit("past", r.past);
}

/// Hosts and queue instances.
struct GetCluster {
  InstanceSelection selection{};     ///< of the instances
  std::vector<Attribute> of_hosts{}; ///< only hosts that meet these requests
  bool host_resources = false;       ///< with what hosts offer
};
template <class V> void describe(V& visit, GetCluster& r) {
  visit("selection", r.selection);
  visit("of_hosts", r.of_hosts);
  visit("host_resources", r.host_resources);
}

struct GetObjects {
  ObjectKind kind = ObjectKind::cluster_queue;
};
template <class V> void describe(V& visit, GetObjects& r) { visit("kind", r.kind); }

struct GetAccounting {
  AccountingFilter filter;
};
template <class V> void describe(V& visit, GetAccounting& r) { visit("filter", r.filter); }

/// Answered when the job has left the system, with the exit status of its last task.
struct AwaitJob {
  JobNumber job;
  bool or_start = false; ///< also when a task of it runs, with an answer that says nothing
};
template <class V> void describe(V& visit, AwaitJob& r) {
  visit("job", r.job);
  visit("or_start", r.or_start);
}

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
  InputFilter filter;     ///< which of those
};
template <class V> void describe(V& visit, GetInputs& r) {
  visit("after", r.after);
  visit("filter", r.filter);
}

/// qrsh -inherit: a process of a running parallel job on another of its hosts.
struct Inherit {
  JobNumber job;
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
  /// What was taken is told on the same connection, and not answered.
  bool quiet = false;
  std::int64_t rows = 0,
               columns = 0; ///< of the client's terminal, which has changed; 0: it has not
};
template <class V> void describe(V& visit, InheritInput& r) {
  visit("request", r.request);
  visit("content", r.content);
  visit("end", r.end);
  visit("taken", r.taken);
  visit("quiet", r.quiet);
  visit("rows", r.rows);
  visit("columns", r.columns);
}

/// qrsh, qlogin: answered when the job has its place, with what attaches the caller to it.
struct AwaitAttachment {
  JobNumber job;
};
template <class V> void describe(V& visit, AwaitAttachment& r) { visit("job", r.job); }

/// At the door of an agent: begins the job, and goes on like Inherit. InheritInput follows.
struct Attach {
  std::string host, address; ///< of the agent where the job runs
  Attempt attempt;
  Bytes credential, signature;
  bool input = false;
  std::int64_t rows = 0, columns = 0; ///< of the client's terminal; 0: it has none
};
template <class V> void describe(V& visit, Attach& r) {
  visit("host", r.host);
  visit("address", r.address);
  visit("attempt", r.attempt);
  visit("credential", r.credential);
  visit("signature", r.signature);
  visit("input", r.input);
  visit("rows", r.rows);
  visit("columns", r.columns);
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

/// Which changes: patterns; "": all.
struct ChangeFilter {
  std::string owner; ///< of jobs and reservations; of what was removed it is not known: it is told
  std::string id;    ///< the number or the name
};
template <class V> void describe(V& visit, ChangeFilter& f) {
  visit("owner", f.owner);
  visit("id", f.id);
}

/// What changes from now on, or since `after`: Changes without end.
struct Subscribe {
  std::string after;              ///< the cursor of the last frame that was read; "": from now on
  std::vector<std::string> kinds; ///< "job", "ar", … (core/records/event.hpp); empty: all
  ChangeFilter filter;
  bool list = false; ///< with "" in `after`: what there is comes first
  bool once = false; ///< what there is now, and no waiting for more
};
template <class V> void describe(V& visit, Subscribe& r) {
  visit("after", r.after);
  visit("kinds", r.kinds);
  visit("filter", r.filter);
  visit("list", r.list);
  visit("once", r.once);
}

/// What is used of the limits of quota sets; of users, if none are named, the one who asks.
struct GetQuotas {
  QuotaSelection selection;
  JobNumber job;     ///< 0: none; else the limits that this job meets, whatever is selected
  bool plan = false; ///< with what is planned, and who has it
};
template <class V> void describe(V& visit, GetQuotas& r) {
  visit("selection", r.selection);
  visit("job", r.job);
  visit("plan", r.plan);
}

/// What became of each slot-second, and of these reservations; of all, if none are named.
struct GetUsage {
  std::vector<std::int64_t> reservations; ///< numbers
  Instant from, to;                       ///< 0: since it is known; until now
  bool nodes = false;                     ///< with the time of each node
};
template <class V> void describe(V& visit, GetUsage& r) {
  visit("reservations", r.reservations);
  visit("from", r.from);
  visit("to", r.to);
  visit("nodes", r.nodes);
}

/// -w v of qconf.
struct AskConfigure {
  ConfigureCommand command;
};
template <class V> void describe(V& visit, AskConfigure& r) { visit("command", r.command); }

/// When would a job start (gmeta QUERY)?
struct AskWhen {
  WhenQuery query;
};
template <class V> void describe(V& visit, AskWhen& r) { visit("query", r.query); }

/// When could a reservation start (gmeta RESQUERY)?
struct AskStarts {
  StartsQuery query;
};
template <class V> void describe(V& visit, AskStarts& r) { visit("query", r.query); }

/// What time it is at the master, and whether the caller may act for a user (gmeta HELLO); and how
/// a reservation stands (gmeta STATUS).
struct AskSite {
  OnBehalf whom;
  ReservationNumber reservation{}; ///< 0: none
};
template <class V> void describe(V& visit, AskSite& r) {
  visit("whom", r.whom);
  visit("reservation", r.reservation);
}
/// The nodes that a reservation with this window could have (plus_availnodes). The answer's number
/// is how many.
struct AskNodes {
  ReservationRequest request;
};
template <class V> void describe(V& visit, AskNodes& r) { visit("request", r.request); }

/// The key of a reservation, for its owner (spec/metascheduler.md section 6). Asked again, it is
/// the same until its window changes or the site has another key.
struct GetGrant {
  ReservationNumber number;
  OnBehalf whom{};
};
template <class V> void describe(V& visit, GetGrant& r) {
  visit("number", r.number);
  visit("whom", r.whom);
}

using RequestBody =
    std::variant<RunCommand, AskSubmit, AskReserve, AskWhy, GetJobs, GetReservations, GetCluster,
                 GetObjects, GetAccounting, AwaitJob, ListActors, InspectActor, Inherit,
                 InheritInput, GetInputs, GetLines, GetMessages, Subscribe, GetQuotas,
                 AskAlterReservation, GetUsage, AskConfigure, AwaitAttachment, Attach, AskWhen,
                 AskStarts, AskSite, AskNodes, GetGrant>;

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

} // namespace almanac::door
