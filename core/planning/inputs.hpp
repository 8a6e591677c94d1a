// Everything that the planner can be told: commands of people, facts of the world, and time.
//
// An input is journaled with its effects before anything comes of it. New alternatives are
// added at the end: their index is their number in the journal.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/execution/exit_record.hpp"
#include "core/host/host.hpp"
#include "core/host/host_key.hpp"
#include "core/job/job.hpp"
#include "core/reservation/reservation.hpp"

#include <string>
#include <variant>
#include <vector>

namespace almanac {

// ---- commands -------------------------------------------------------------------------------

struct Submit {
  JobRequest request;
  std::string script_hash;
  std::int64_t script_bytes = 0;
};
template <class V> void describe(V& visit, Submit& c) {
  visit("request", c.request);
  visit("script_hash", c.script_hash);
  visit("script_bytes", c.script_bytes);
}

/// Targets are ids, "id.task", names or patterns.
struct DeleteJobs {
  std::vector<std::string> targets;
  std::vector<TaskRange> tasks; ///< of all targets; empty: all tasks
  std::vector<std::string> users;
  bool force = false;
};
template <class V> void describe(V& visit, DeleteJobs& c) {
  visit("targets", c.targets);
  visit("tasks", c.tasks);
  visit("users", c.users);
  visit("force", c.force);
}

struct ChangeHold {
  std::vector<std::string> targets;
  std::vector<std::string> users;
  bool user_hold = false, operator_hold = false, system_hold = false;
  bool release = false;
};
template <class V> void describe(V& visit, ChangeHold& c) {
  visit("targets", c.targets);
  visit("users", c.users);
  visit("user_hold", c.user_hold);
  visit("operator_hold", c.operator_hold);
  visit("system_hold", c.system_hold);
  visit("release", c.release);
}

struct ClearJobErrors {
  std::vector<std::string> targets;
};
template <class V> void describe(V& visit, ClearJobErrors& c) { visit("targets", c.targets); }

enum class QueueAction : std::uint8_t { disable, enable, suspend, unsuspend, clear_error };
template <> inline constexpr QueueAction last_of<QueueAction> = QueueAction::clear_error;

struct ModifyQueues {
  QueueAction action = QueueAction::disable;
  std::vector<std::string> targets; ///< wc_queue
};
template <class V> void describe(V& visit, ModifyQueues& c) {
  visit("action", c.action);
  visit("targets", c.targets);
}

/// Prepare and commit in one step.
struct Reserve {
  ReservationRequest request;
};
template <class V> void describe(V& visit, Reserve& c) { visit("request", c.request); }

struct DeleteReservations {
  std::vector<std::string> targets; ///< ids, names or patterns
  std::vector<std::string> users;
  bool force = false;
};
template <class V> void describe(V& visit, DeleteReservations& c) {
  visit("targets", c.targets);
  visit("users", c.users);
  visit("force", c.force);
}

/// Books a proposed shape until `hold` has passed. `number` 0: a new reservation; else a change of
/// that one, or its removal.
struct PrepareReservation {
  std::string transaction;
  std::int64_t number = 0;
  bool removal = false;
  ReservationRequest request;
  Duration hold;
};
template <class V> void describe(V& visit, PrepareReservation& c) {
  visit("transaction", c.transaction);
  visit("number", c.number);
  visit("removal", c.removal);
  visit("request", c.request);
  visit("hold", c.hold);
}

struct SettleReservation {
  std::string transaction;
  std::int64_t number = 0;
  bool commit = false; ///< false: abort
};
template <class V> void describe(V& visit, SettleReservation& c) {
  visit("transaction", c.transaction);
  visit("number", c.number);
  visit("commit", c.commit);
}

struct Configure {
  ConfigurationChange change;
};
template <class V> void describe(V& visit, Configure& c) { visit("change", c.change); }

/// A new exec host, added to @allhosts, with its slots in all.q. The answer's number is the serial
/// of its ticket.
struct AddHost {
  std::string host;
  std::int64_t slots = 1;
};
template <class V> void describe(V& visit, AddHost& c) {
  visit("host", c.host);
  visit("slots", c.slots);
}

/// Whether qalter may change what this option of qsub says.
bool can_be_altered(const std::string& option);

/// Gives jobs the values of `request` for the options that are named.
struct AlterJobs {
  std::vector<std::string> targets;
  std::vector<std::string> users;
  std::vector<std::string> options; ///< as qsub calls them
  JobRequest request;
};
template <class V> void describe(V& visit, AlterJobs& c) {
  visit("targets", c.targets);
  visit("users", c.users);
  visit("options", c.options);
  visit("request", c.request);
}

/// `issue`: a ticket is to be made; the answer's number is its serial. `replace`: likewise, and the
/// present key is refused from now on. `revoke`: that alone.
enum class KeyAction : std::uint8_t { issue, replace, revoke };
template <> inline constexpr KeyAction last_of<KeyAction> = KeyAction::revoke;

struct ChangeHostKey {
  KeyAction action = KeyAction::issue;
  std::string host;
};
template <class V> void describe(V& visit, ChangeHostKey& c) {
  visit("action", c.action);
  visit("host", c.host);
}

using CommandBody = std::variant<Submit, DeleteJobs, ChangeHold, ClearJobErrors, ModifyQueues,
                                 Reserve, DeleteReservations, PrepareReservation, SettleReservation,
                                 Configure, AddHost, AlterJobs, ChangeHostKey>;

struct Command {
  Caller caller;
  CommandBody body;
};
template <class V> void describe(V& visit, Command& c) {
  visit("caller", c.caller);
  visit("body", c.body);
}

// ---- facts ----------------------------------------------------------------------------------

/// One attempt to run one task.
struct Attempt {
  std::int64_t job = 0; ///< key
  std::int64_t task = 0;
  std::int64_t attempt = 0;
  auto operator<=>(const Attempt&) const = default;
};
template <class V> void describe(V& visit, Attempt& a) {
  visit("job", a.job);
  visit("task", a.task);
  visit("attempt", a.attempt);
}

struct TaskStarted {
  Attempt attempt;
};
template <class V> void describe(V& visit, TaskStarted& f) { visit("attempt", f.attempt); }

/// The user's process never began. `user_fault`: trying elsewhere would not help (no directory, no
/// such user).
struct LaunchFailed {
  Attempt attempt;
  std::string host;
  bool user_fault = false;
  ExitRecord record;
};
template <class V> void describe(V& visit, LaunchFailed& f) {
  visit("attempt", f.attempt);
  visit("host", f.host);
  visit("user_fault", f.user_fault);
  visit("record", f.record);
}

struct TaskEnded {
  Attempt attempt;
  ExitRecord record;
};
template <class V> void describe(V& visit, TaskEnded& f) {
  visit("attempt", f.attempt);
  visit("record", f.record);
}

/// The agent's machine or spool is a new one: what ran there is gone.
struct TaskLost {
  Attempt attempt;
  std::string host;
};
template <class V> void describe(V& visit, TaskLost& f) {
  visit("attempt", f.attempt);
  visit("host", f.host);
}

/// The agent of the task's first host does not reach that of a part.
struct PartSilent {
  Attempt attempt;
  std::string host;
};
template <class V> void describe(V& visit, PartSilent& f) {
  visit("attempt", f.attempt);
  visit("host", f.host);
}

/// The task's first host has not been heard for so long that the fence of the task has fired there.
struct TaskFenced {
  Attempt attempt;
  std::string host;
};
template <class V> void describe(V& visit, TaskFenced& f) {
  visit("attempt", f.attempt);
  visit("host", f.host);
}

struct HostRegistered {
  std::string host;
  HostFacts facts;
  std::int64_t highest_key = 0; ///< of the jobs of this store whose tasks it has
  KeyClaim claim{};
  Rival rival = Rival::none;
};
template <class V> void describe(V& visit, HostRegistered& f) {
  visit("host", f.host);
  visit("facts", f.facts);
  visit("highest_key", f.highest_key);
  visit("claim", f.claim);
  visit("rival", f.rival);
}

/// The link or the lease is lost; with `unknown`, for longer than max_unheard.
struct HostSilent {
  std::string host;
  bool unknown = false;
};
template <class V> void describe(V& visit, HostSilent& f) {
  visit("host", f.host);
  visit("unknown", f.unknown);
}

struct LoadChanged {
  std::string host;
  HostLoad load; ///< quantised
};
template <class V> void describe(V& visit, LoadChanged& f) {
  visit("host", f.host);
  visit("load", f.load);
}

// ---- time -----------------------------------------------------------------------------------

/// A booked end has passed and the task still runs.
struct TaskOverdue {
  Attempt attempt;
};
template <class V> void describe(V& visit, TaskOverdue& f) { visit("attempt", f.attempt); }

/// A start, an end or a held_until has come; which one follows from the record.
struct ReservationDue {
  std::int64_t reservation = 0; ///< key
};
template <class V> void describe(V& visit, ReservationDue& f) {
  visit("reservation", f.reservation);
}

/// Start what can be started.
struct Pass {};
template <class V> void describe(V&, Pass&) {}

/// The master has started: caches are gone, records are what they were. Carries what it checked.
struct Restarted {
  std::int64_t term = 0;
  std::uint64_t digest = 0;
  bool passes_off = false; ///< after too many crashes: better nothing starts than the next crash
  std::vector<ZoneChange> zone; ///< the master's time zone: calendars are written in its time
  std::string host{};           ///< the master's: an admin and submit host by itself
};
template <class V> void describe(V& visit, Restarted& f) {
  visit("term", f.term);
  visit("digest", f.digest);
  visit("passes_off", f.passes_off);
  visit("zone", f.zone);
  visit("host", f.host);
}

using Input = std::variant<Command, TaskStarted, LaunchFailed, TaskEnded, TaskLost, HostRegistered,
                           HostSilent, LoadChanged, TaskOverdue, ReservationDue, Pass, Restarted,
                           PartSilent, TaskFenced>;

/// An input as the journal keeps it.
struct JournaledInput {
  std::int64_t sequence = 0;
  Instant now;
  std::int64_t version = 0; ///< of the planner's rules; replay stops where it changes
  Input input;
  std::uint64_t decision = 0; ///< a fingerprint of what it changed; 0: not recorded
};
template <class V> void describe(V& visit, JournaledInput& j) {
  visit("sequence", j.sequence);
  visit("now", j.now);
  visit("version", j.version);
  visit("input", j.input);
  visit("decision", j.decision);
}

} // namespace almanac
