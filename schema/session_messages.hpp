// What the sessions of master and agents, and of agents among each other, carry in their envelopes.
//
// A session begins with hello, challenge, proof, welcome; an agent then registers with its list of
// tasks, gets a verdict on each, and only then new orders (design.md sections 1 and 5).
#pragma once

#include "core/configuration/objects/global_configuration.hpp"
#include "core/execution/common_files.hpp"
#include "core/job/task_usage.hpp"
#include "core/planning/fact.hpp"
#include "schema/session/handshake.hpp"
#include "schema/session/launch.hpp"

#include <string>
#include <variant>
#include <vector>

namespace almanac::session {

enum class TaskPhase : std::uint8_t { spooled, running, ended };

/// What an agent knows of one attempt. Ended ones are repeated until acknowledged.
struct TaskReport {
  Attempt attempt;
  TaskPhase phase = TaskPhase::spooled;
  bool began = false;      ///< the user's process was started
  bool user_fault = false; ///< with began false: trying elsewhere would not help
  std::string store_id;
  Term term;
  ExitRecord record;
  std::vector<ProcessEnd> processes{}; ///< as in TaskEnded
};
template <class V> void describe(V& visit, TaskReport& m) {
  visit("attempt", m.attempt);
  visit("phase", m.phase);
  visit("began", m.began);
  visit("user_fault", m.user_fault);
  visit("store_id", m.store_id);
  visit("term", m.term);
  visit("record", m.record);
  visit("processes", m.processes);
}

struct Register {
  HostFacts facts;
  std::vector<TaskReport> tasks;
  Bytes nonce{}; ///< of the agent's helper: what warrants for this host have to name (warrant.hpp)
  std::int64_t warrant_version = 0; ///< that the helper reads; 0 stands for 1
  /// CommonFiles and CommonFile are understood; agents of earlier versions do not say so, and would
  /// end the session over one.
  bool takes_common_files = false;
  /// Likewise PeerStart and PeerInput from the master, which has hooks run so.
  bool runs_hooks = false;
  bool takes_limits = false;     ///< TaskAction::prolong is understood, likewise
  bool takes_moves = false;      ///< TaskAction::move is
  bool takes_preemption = false; ///< TaskAction::preempt is
};
template <class V> void describe(V& visit, Register& m) {
  visit("facts", m.facts);
  visit("tasks", m.tasks);
  visit("nonce", m.nonce);
  visit("warrant_version", m.warrant_version);
  visit("takes_common_files", m.takes_common_files);
  visit("runs_hooks", m.runs_hooks);
  visit("takes_limits", m.takes_limits);
  visit("takes_moves", m.takes_moves);
  visit("takes_preemption", m.takes_preemption);
}

/// The master has compared the lists; orders follow. Says how often to report load, and what to
/// log.
struct Registered {
  Duration load_report_time;
  LogLevel log_level = LogLevel::warnings;
  /// TaskUses is understood; masters of earlier versions do not say so, and would end the session
  /// over one.
  bool takes_usage = false;
  Bytes sensors{}, sensors_signature{}; ///< a SensorOrder (sensor_order.hpp); empty: none run
  bool operator==(const Registered&) const = default;
};
template <class V> void describe(V& visit, Registered& m) {
  visit("load_report_time", m.load_report_time);
  visit("log_level", m.log_level);
  visit("takes_usage", m.takes_usage);
  visit("sensors", m.sensors);
  visit("sensors_signature", m.sensors_signature);
}

/// `move`: it is ended, and will run again elsewhere; one that can be checkpointed is saved first.
/// `preempt`: it gives way to a reservation (spec/plus.md P5.11): its notice, SIGTERM, SIGKILL.
enum class TaskAction : std::uint8_t { kill, suspend, resume, prolong, move, preempt };

struct Control {
  Attempt attempt;
  TaskAction action = TaskAction::kill;
  Bytes warrant{}, warrant_signature{}; ///< of prolong: for the helper (LimitWarrant)
};
template <class V> void describe(V& visit, Control& m) {
  visit("attempt", m.attempt);
  visit("action", m.action);
  visit("warrant", m.warrant);
  visit("warrant_signature", m.warrant_signature);
}

/// The end of this attempt is durable, or it is not wanted any more: the agent ends what runs and
/// forgets.
struct Forget {
  Attempt attempt;
};
template <class V> void describe(V& visit, Forget& m) { visit("attempt", m.attempt); }

/// A frame from the Unix door of an agent, with the kernel's word on who sent it.
struct Relay {
  std::int64_t connection = 0;
  Caller caller;
  Bytes frame;
};
template <class V> void describe(V& visit, Relay& m) {
  visit("connection", m.connection);
  visit("caller", m.caller);
  visit("frame", m.frame);
}
struct RelayAnswer {
  std::int64_t connection = 0;
  Bytes frame;
};
template <class V> void describe(V& visit, RelayAnswer& m) {
  visit("connection", m.connection);
  visit("frame", m.frame);
}

/// Between agents: start a process of a job whose part lies on the receiver's host. From the
/// master: a hook of the site, in the part of a task that has no job
/// (actors/master/host_hooks.hpp).
struct PeerStart {
  std::int64_t call = 0;
  Attempt attempt;
  std::vector<std::string> command;
  std::vector<Attribute> environment;
  std::string directory;
  Bytes credential, signature;
  bool input = false; ///< PeerInput follows
  Bytes proof{};      ///< of the sender's key over what is to be run, for the helper (warrant.hpp)
};
template <class V> void describe(V& visit, PeerStart& m) {
  visit("call", m.call);
  visit("attempt", m.attempt);
  visit("command", m.command);
  visit("environment", m.environment);
  visit("directory", m.directory);
  visit("credential", m.credential);
  visit("signature", m.signature);
  visit("input", m.input);
  visit("proof", m.proof);
}
struct PeerInput {
  std::int64_t call = 0;
  Bytes content;
  bool end = false;
  std::int64_t taken = 0; ///< bytes of output that the caller has read since the last time
  std::int64_t rows = 0,
               columns = 0; ///< of the caller's terminal, which has changed; 0: it has not
  bool hang_up = false;     ///< the caller has gone: the process is to end
};
template <class V> void describe(V& visit, PeerInput& m) {
  visit("call", m.call);
  visit("content", m.content);
  visit("end", m.end);
  visit("taken", m.taken);
  visit("rows", m.rows);
  visit("columns", m.columns);
  visit("hang_up", m.hang_up);
}
struct PeerOutput {
  std::int64_t call = 0;
  Bytes content;
  bool error = false;
  std::int64_t room = 0; ///< so many bytes more of its input may be sent
};
template <class V> void describe(V& visit, PeerOutput& m) {
  visit("call", m.call);
  visit("content", m.content);
  visit("error", m.error);
  visit("room", m.room);
}
struct PeerEnded {
  std::int64_t call = 0;
  ExitRecord record;
};
template <class V> void describe(V& visit, PeerEnded& m) {
  visit("call", m.call);
  visit("record", m.record);
}
/// The job has ended on its first host: clear its part here.
struct PeerClear {
  Attempt attempt;
  Bytes credential, signature;
};
template <class V> void describe(V& visit, PeerClear& m) {
  visit("attempt", m.attempt);
  visit("credential", m.credential);
  visit("signature", m.signature);
}

/// Between agents: a client on the sender's host attaches to an interactive job, which begins then.
/// PeerInput, PeerOutput and PeerEnded follow.
struct PeerAttach {
  std::int64_t call = 0;
  Attempt attempt;
  Bytes credential, signature; ///< the master's word for this client (ClientCredential)
  bool input = false;          ///< PeerInput brings something to read
  std::int64_t rows = 0, columns = 0;
};
template <class V> void describe(V& visit, PeerAttach& m) {
  visit("call", m.call);
  visit("attempt", m.attempt);
  visit("credential", m.credential);
  visit("signature", m.signature);
  visit("input", m.input);
  visit("rows", m.rows);
  visit("columns", m.columns);
}

/// Who may attach to an interactive job, in the master's words: a user on one host, to one attempt,
/// which takes one client only (actors/trust/attach.hpp).
struct ClientCredential {
  std::string store_id;
  Term term;
  Attempt attempt;
  std::string user;
  std::int64_t uid = 0;
  std::string client_host; ///< where the client is
  std::string host;        ///< where the job runs
};
template <class V> void describe(V& visit, ClientCredential& c) {
  visit("store_id", c.store_id);
  visit("term", c.term);
  visit("attempt", c.attempt);
  visit("user", c.user);
  visit("uid", c.uid);
  visit("client_host", c.client_host);
  visit("host", c.host);
}

/// What the signer orders the receiver to do, word for word: for one host and one session, with a
/// number of its own (actors/trust/order.hpp).
struct Order {
  std::string store_id;
  Term term;
  std::string host;
  Bytes session; ///< what the handshake has made of everything that was said in it
  std::int64_t sequence = 0;
  Bytes message; ///< an encoded Envelope
};
template <class V> void describe(V& visit, Order& o) {
  visit("store_id", o.store_id);
  visit("term", o.term);
  visit("host", o.host);
  visit("session", o.session);
  visit("sequence", o.sequence);
  visit("message", o.message);
}
/// Launch, Control, Forget, PeerStart, PeerAttach and PeerClear cross the network only inside of
/// one of these.
struct SignedOrder {
  Bytes order, signature;
};
template <class V> void describe(V& visit, SignedOrder& m) {
  visit("order", m.order);
  visit("signature", m.signature);
}

/// An agent asks for a renewal of its lease, with its own time of asking; the master grants it by
/// giving that time back (core/execution/fence.hpp).
struct Renew {
  std::int64_t asked = 0; ///< milliseconds of the agent's clock
  Bytes nonce{};          ///< as in Register, which has become another one since; "": it has not
};
template <class V> void describe(V& visit, Renew& m) {
  visit("asked", m.asked);
  visit("nonce", m.nonce);
}
struct Renewed {
  std::int64_t asked = 0;
};
template <class V> void describe(V& visit, Renewed& m) { visit("asked", m.asked); }

/// The cell's common files as they are now, all of them (core/execution/common_files.hpp): said
/// after Registered, and when one has changed.
struct CommonFiles {
  std::vector<CommonFileVersion> files;
};
template <class V> void describe(V& visit, CommonFiles& m) { visit("files", m.files); }

/// An agent asks for one of them, which is answered once after each CommonFiles: its own copy is
/// another one.
struct GetCommonFile {
  std::string name;
};
template <class V> void describe(V& visit, GetCommonFile& m) { visit("name", m.name); }

struct CommonFile {
  std::string name;
  Bytes content;
};
template <class V> void describe(V& visit, CommonFile& m) {
  visit("name", m.name);
  visit("content", m.content);
}

/// What one attempt's processes on a host use.
struct TaskUse {
  Attempt attempt;
  TaskUsage usage;
  std::string binding{}; ///< the host's topology with the cores that they are bound to; "": to none
};
template <class V> void describe(V& visit, TaskUse& m) {
  visit("attempt", m.attempt);
  visit("usage", m.usage);
  visit("binding", m.binding);
}

/// All that run on the host of an agent; instead of what it said before.
struct TaskUses {
  std::vector<TaskUse> tasks;
};
template <class V> void describe(V& visit, TaskUses& m) { visit("tasks", m.tasks); }

/// PartSilent comes from a task's first host, and is repeated while it is so.
using Message =
    std::variant<Hello, Challenge, Proof, Welcome, Refused, Register, Registered, Launch,
                 TaskReport, Control, Forget, HostLoad, Relay, RelayAnswer, PeerStart, PeerOutput,
                 PeerEnded, PeerClear, PartSilent, PeerInput, Renew, Renewed, SignedOrder,
                 CommonFiles, GetCommonFile, CommonFile, TaskUses, PeerAttach>;

struct Envelope {
  Message body;
};
template <class V> void describe(V& visit, Envelope& e) { visit("body", e.body); }

} // namespace almanac::session

namespace almanac {
template <> inline constexpr session::TaskPhase last_of<session::TaskPhase> =
    session::TaskPhase::ended;
template <> inline constexpr session::TaskAction last_of<session::TaskAction> =
    session::TaskAction::preempt;
} // namespace almanac
