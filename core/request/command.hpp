// Everything that people can ask to be done. New alternatives are added at the end: their index is
// their number in the journal and at the door.
#pragma once

#include "core/configuration/change.hpp"
#include "core/job/job_context.hpp"
#include "core/job/job_request.hpp"
#include "core/request/reservation_claim.hpp"
#include "core/reservation/recurrence.hpp"
#include "core/request/start_search.hpp"
#include "core/reservation/reservation.hpp"

#include <string>
#include <variant>
#include <vector>

namespace almanac {

struct Submit {
  JobRequest request;
  std::string script_hash;
  std::int64_t script_bytes = 0;
  /// The jsv_url that has taken or corrected the request; "": none was asked. Said by the gate.
  std::string verified_by{};
};
template <class V> void describe(V& visit, Submit& c) {
  visit("request", c.request);
  visit("script_hash", c.script_hash);
  visit("script_bytes", c.script_bytes);
  visit("verified_by", c.verified_by);
}

/// Targets are ids, names or expressions of patterns ("a*|b"), each perhaps with tasks: "12.3",
/// "12.1-5:2", "name.2" (wc_job_range, spec/cli.md section 2).
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
  bool held_by_user = false, held_by_operator = false, held_by_system = false;
  bool release = false;
  std::vector<TaskRange> tasks{}; ///< of all targets that name none; empty: all tasks
};
template <class V> void describe(V& visit, ChangeHold& c) {
  visit("targets", c.targets);
  visit("users", c.users);
  visit("held_by_user", c.held_by_user);
  visit("held_by_operator", c.held_by_operator);
  visit("held_by_system", c.held_by_system);
  visit("release", c.release);
  visit("tasks", c.tasks);
}

struct ClearJobErrors {
  std::vector<std::string> targets;
};
template <class V> void describe(V& visit, ClearJobErrors& c) { visit("targets", c.targets); }

/// `reschedule`: what runs in them is ended and tried again.
enum class QueueAction : std::uint8_t {
  disable,
  enable,
  suspend,
  unsuspend,
  clear_error,
  reschedule
};
template <> inline constexpr QueueAction last_of<QueueAction> = QueueAction::reschedule;

struct ModifyQueues {
  QueueAction action = QueueAction::disable;
  std::vector<std::string> targets; ///< wc_queue; disable and enable: also hosts and host groups
  bool force = false;               ///< also what is as it shall be, or may not be tried again
  std::string why{};                ///< disable: for those who look, and for
  Instant until{};                  ///< how long; 0: until somebody enables it
};
template <class V> void describe(V& visit, ModifyQueues& c) {
  visit("action", c.action);
  visit("targets", c.targets);
  visit("force", c.force);
  visit("why", c.why);
  visit("until", c.until);
}

/// Prepare and commit in one step.
struct Reserve {
  ReservationRequest request;
  bool override_holds = false; ///< places held for waiting jobs are taken, too: managers alone
  bool explain = false;        ///< a refusal says all that is in the way, and for how long
  JobNumber from_job{};        ///< for this job, which is bound to it; 0: for none
  Duration offer_for{};        ///< -offer: prepared for so long, and granted when it is accepted
  std::vector<std::string> offer_kinds{}; ///< what else may be offered: later, earlier, ...
  bool force = false;      ///< -f: a maintenance comes although reservations cannot move
  Recurrence recurrence{}; ///< when it comes again; without a rule it does not
};
template <class V> void describe(V& visit, Reserve& c) {
  visit("request", c.request);
  visit("override_holds", c.override_holds);
  visit("explain", c.explain);
  visit("from_job", c.from_job);
  visit("offer_for", c.offer_for);
  visit("offer_kinds", c.offer_kinds);
  visit("force", c.force);
  visit("recurrence", c.recurrence);
}

struct DeleteReservations {
  std::vector<std::string> targets; ///< ids, names or patterns
  std::vector<std::string> users;
  bool force = false;
  bool rest = false; ///< of a series: these occurrences and all later ones
};
template <class V> void describe(V& visit, DeleteReservations& c) {
  visit("targets", c.targets);
  visit("users", c.users);
  visit("force", c.force);
  visit("rest", c.rest);
}

/// Books a proposed shape until `hold_for` has passed; 0: it is committed at once. `number` 0: a
/// new reservation; else a change of that one, or its end. Of a change, what `request` does not
/// name stays as it is.
struct PrepareReservation {
  std::string transaction;
  ReservationNumber number;
  ReservationVerb verb = ReservationVerb::change;
  ReservationRequest request;
  Duration hold_for;
  std::string
      sealed_secret{};   ///< for who claims it (spec/metascheduler.md section 6). Said by the gate.
  bool with_key = false; ///< a new one gets a secret, if it names no public key
  bool at_once = false;  ///< of a change: it begins now
  bool within_horizon = false; ///< of a change: a start beyond GMETA_HORIZON is refused
};
template <class V> void describe(V& visit, PrepareReservation& c) {
  visit("transaction", c.transaction);
  visit("number", c.number);
  describe_verb(visit, c.verb);
  visit("request", c.request);
  visit("hold_for", c.hold_for);
  visit("sealed_secret", c.sealed_secret);
  visit("with_key", c.with_key);
  visit("at_once", c.at_once);
  visit("within_horizon", c.within_horizon);
}

/// Commits or aborts what is prepared, under this name; "": what is prepared, or was settled last.
struct SettleReservation {
  std::string transaction;
  ReservationNumber number;
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

/// Gives jobs the values of `request` for the options that are named.
struct AlterJobs {
  std::vector<std::string> targets;
  std::vector<std::string> users;
  std::vector<std::string> options; ///< as qsub calls them
  JobRequest request;
  std::vector<ContextChange> context{}; ///< -ac, -dc and -sc, one after the other
  std::string held{};                   ///< -h: letters of "uos", kinds of holds that are placed
  std::string released{};               ///< and of those that are removed; "n": all of the job
};
template <class V> void describe(V& visit, AlterJobs& c) {
  visit("targets", c.targets);
  visit("users", c.users);
  visit("options", c.options);
  visit("request", c.request);
  visit("context", c.context);
  visit("held", c.held);
  visit("released", c.released);
}

/// Submits jobs once more, with what is changed in the copies.
struct ResubmitJobs {
  AlterJobs changes; ///< of holds only that of the user
};
template <class V> void describe(V& visit, ResubmitJobs& c) { visit("changes", c.changes); }

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

/// Several changes that are decided as a whole: all of them are made, or none.
struct ConfigureAll {
  std::vector<ConfigurationChange> changes;
};
template <class V> void describe(V& visit, ConfigureAll& c) { visit("changes", c.changes); }

/// What qconf sends.
using ConfigureCommand = std::variant<Configure, ConfigureAll>;

/// Gives a reservation the values of `request` for the options that are named; empty ones clear.
struct AlterReservation {
  ReservationNumber number;
  std::vector<std::string> options; ///< as qralter calls them
  ReservationRequest request;
  bool force = false;      ///< jobs that are in the way give way
  Recurrence recurrence{}; ///< of a series: what options say of it, by the wall clock
  bool rest = false; ///< this occurrence of a series and all later ones, as a series of their own
};
template <class V> void describe(V& visit, AlterReservation& c) {
  visit("number", c.number);
  visit("options", c.options);
  visit("request", c.request);
  visit("force", c.force);
  visit("recurrence", c.recurrence);
  visit("rest", c.rest);
}

enum class JobAction : std::uint8_t { suspend, unsuspend, reschedule, clear_error };
template <> inline constexpr JobAction last_of<JobAction> = JobAction::clear_error;

/// Targets as in DeleteJobs. `or_queues`: names of queue instances mean these (qmod -s -us -r -c).
struct ModifyJobs {
  JobAction action = JobAction::suspend;
  std::vector<std::string> targets;
  bool force = false; ///< as in ModifyQueues
  bool or_queues = false;
};
template <class V> void describe(V& visit, ModifyJobs& c) {
  visit("action", c.action);
  visit("targets", c.targets);
  visit("force", c.force);
  visit("or_queues", c.or_queues);
}

/// run: a scheduling run at once; what is booked is written into the schedule file, also without
/// params MONITOR (qconf -tsm). stop, start (-ks, -at): nothing is started until it is started
/// again, or a master is.
enum class SchedulerAction : std::uint8_t { run, stop, start };
template <> inline constexpr SchedulerAction last_of<SchedulerAction> = SchedulerAction::start;

struct ControlScheduler {
  SchedulerAction action = SchedulerAction::run;
};
template <class V> void describe(V& visit, ControlScheduler& c) { visit("action", c.action); }

/// An exec host leaves the cell, with all that names it: groups, queues, lists of hosts, its key.
struct RemoveHost {
  std::string host;
};
template <class V> void describe(V& visit, RemoveHost& c) { visit("host", c.host); }

/// Gives reservations up at once: those that are named ("R12", "12"), and all of these owners.
struct RemoveReservations {
  std::vector<std::string> targets;
  std::vector<std::string> users;
  ReservationVerb verb = ReservationVerb::cancel; ///< or destroy
};
template <class V> void describe(V& visit, RemoveReservations& c) {
  visit("targets", c.targets);
  visit("users", c.users);
  visit("verb", c.verb);
}

/// Finds the first start at which a reservation would be granted, and prepares it there, in one
/// step (RESQANDSET); with a start in the request, or with `at_once`, only there (SETRES). The
/// rules of the metascheduler's interface hold: its horizon, and what a user may have. A
/// transaction that this user has prepared or settled already is not repeated: the answer says what
/// became of it.
struct ReserveEarliest {
  PrepareReservation prepare; ///< of a new reservation
  StartSearch search{};
  bool at_once = false; ///< it begins now
};
template <class V> void describe(V& visit, ReserveEarliest& c) {
  visit("prepare", c.prepare);
  visit("search", c.search);
  visit("at_once", c.at_once);
}

/// Who has the key of a reservation gets a nonce, which its next claim is proved with.
struct IssueChallenge {
  ReservationNumber number;
  std::string nonce{}; ///< said by the gate
};
template <class V> void describe(V& visit, IssueChallenge& c) {
  visit("number", c.number);
  visit("nonce", c.nonce);
}

/// Tries a key: the claim that goes with it is looked at, its nonce is spent, and that is all.
struct SpendChallenge {
  ReservationNumber number;
};
template <class V> void describe(V& visit, SpendChallenge& c) { visit("number", c.number); }

using CommandBody =
    std::variant<Submit, DeleteJobs, ChangeHold, ClearJobErrors, ModifyQueues, Reserve,
                 DeleteReservations, PrepareReservation, SettleReservation, Configure, AddHost,
                 AlterJobs, ChangeHostKey, ConfigureAll, AlterReservation, ResubmitJobs, ModifyJobs,
                 ControlScheduler, RemoveHost, RemoveReservations, ReserveEarliest, IssueChallenge,
                 SpendChallenge>;

struct Command {
  Caller caller;
  CommandBody body;
  std::vector<CheckedClaim> claim{}; ///< none or one
  /// None or one: for whom a reservation is made, changed, settled or deleted, if that is not the
  /// caller.
  std::vector<OnBehalf> whom{};
};
template <class V> void describe(V& visit, Command& c) {
  visit("caller", c.caller);
  visit("body", c.body);
  visit("claim", c.claim);
  visit("whom", c.whom);
}

} // namespace almanac
