// What a shepherd is told: what it runs for a task on one host, as whom, with what environment.
//
// The master makes it (task_order.hpp), the helper of the host's agent fills in what its host alone
// knows (host_words.hpp).
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/result.hpp"
#include "core/execution/process_limits.hpp"
#include "core/job/interaction.hpp"

#include <string>
#include <vector>

namespace almanac {

/// As whom a process runs: a user of the host or, where the agent is not root, oneself. The master
/// says only the name, "" for the job's owner; the groups are never on their way.
struct RunAs {
  bool self = false;
  std::string user;
  std::int64_t uid = -1, gid = -1;
  std::vector<std::uint32_t> groups = {};
};
template <class V> void describe(V& visit, RunAs& as) {
  visit("self", as.self);
  visit("user", as.user);
  visit("uid", as.uid);
  visit("gid", as.gid);
}

/// The job's own process, or a command of the site before or after it.
struct ShepherdProcess {
  RunAs as;
  std::vector<std::string> arguments; ///< the first is a path; none: there is nothing to run
  bool is_users = false;              ///< it has the order's environment, too
  std::vector<Attribute> environment; ///< its own, beside that
  std::string directory;
};
template <class V> void describe(V& visit, ShepherdProcess& process) {
  visit("as", process.as);
  visit("arguments", process.arguments);
  visit("is_users", process.is_users);
  visit("environment", process.environment);
  visit("directory", process.directory);
}

/// Where output goes: a file, or `name` in a directory.
struct OutputFile {
  std::string path, name;
};
template <class V> void describe(V& visit, OutputFile& file) {
  visit("path", file.path);
  visit("name", file.name);
}

/// How a task is suspended, resumed or ended where that is not what a shepherd does by itself: by a
/// signal or by a command, in whose words $job_pid stands for the job's own process. Neither: there
/// is no such method.
struct SignalMethod {
  std::int64_t signal = 0;
  ShepherdProcess command;
  bool is_given() const { return signal > 0 || !command.arguments.empty(); }
};
template <class V> void describe(V& visit, SignalMethod& method) {
  visit("signal", method.signal);
  visit("command", method.command);
}

/// How a job of a checkpointing environment is saved (core/execution/checkpoint_plan.hpp): commands
/// beside its own process, in whose words $job_pid stands for that.
struct CheckpointSteps {
  bool is_asked_for = false;
  ShepherdProcess checkpoint, migration, cleaning;
  std::int64_t signal = 0;   ///< to the job's process where there is no command to save it; 0: none
  std::int64_t interval = 0; ///< seconds; 0: not at intervals
  std::int64_t patience = 0; ///< seconds from the signal to the end of a job that moves
  std::int64_t longest = 0;  ///< seconds that a command may take
  bool at_move = false, at_shutdown = false;
};
template <class V> void describe(V& visit, CheckpointSteps& steps) {
  visit("is_asked_for", steps.is_asked_for);
  visit("checkpoint", steps.checkpoint);
  visit("migration", steps.migration);
  visit("cleaning", steps.cleaning);
  visit("signal", steps.signal);
  visit("interval", steps.interval);
  visit("patience", steps.patience);
  visit("longest", steps.longest);
  visit("at_move", steps.at_move);
  visit("at_shutdown", steps.at_shutdown);
}

/// Whether who prints or reads fields does so in this version of the warrant, or a later one.
template <class V> bool has_version(const V& visit, std::int64_t version) {
  if constexpr (requires { visit.version; }) return visit.version >= version;
  else return true;
}

struct ShepherdOrder {
  ShepherdProcess job, prolog, pe_start, pe_stop, epilog;
  std::vector<Attribute> environment; ///< of those processes that say so
  OutputFile output, error;           ///< of the job, prolog and epilog; opened as the job's user
  OutputFile pe_output, pe_error;     ///< of pe_start and pe_stop
  bool join = false;                  ///< errors go where output goes
  std::int64_t limit = 0;             ///< seconds; 0: none
  std::int64_t soft_limit = 0;
  std::vector<ProcessLimit> limits; ///< of each process of the job, and of all together
  /// Seconds from a notification to SIGKILL or SIGSTOP, and from SIGTERM to SIGKILL of a job that
  /// gives way; 0: at once.
  std::int64_t notice = 0;
  std::int64_t notice_of_kill = 0, notice_of_suspension = 0; ///< signals; 0: none
  std::string cgroup;                                        ///< a cgroup v2 leaf, or ""
  std::string marker;     ///< value of ALMANAC_TASK in the process's environment
  std::string input;      ///< a file for standard input, or ""
  std::string must_exist; ///< a program that has to be executable, or ""
  std::string lease;      ///< a file with the stamp of the agent's lease
  std::int64_t fence = 0; ///< seconds from that stamp to the end of the process; 0: none
  /// When the fence fires by the stamp as it was when the order came: one that is renewed since
  /// then says nothing about this order. Milliseconds since boot; 0: no fence.
  std::int64_t begin_by = 0;
  std::string remove_after; ///< a directory of the user's, removed at the end
  SignalMethod suspend, resume, terminate;
  std::int64_t nice = 0; ///< of the job's own process, -20 to 20
  bool login = false;    ///< its shell is started as a login shell
  bool by_starter =
      false; ///< what runs first is the site's: that it cannot is not the user's fault
  /// The job's streams go to a client: where to, its helper fills in.
  Interaction interaction = Interaction::none;
  std::string binding; ///< cores that it is bound to (core/job/core_binding.hpp), or ""
  std::string cores;   ///< a folder that says which ones are taken; its helper fills it in
  CheckpointSteps checkpoint;
};
template <class V> void describe(V& visit, ShepherdOrder& order) {
  visit("job", order.job);
  visit("prolog", order.prolog);
  visit("pe_start", order.pe_start);
  visit("pe_stop", order.pe_stop);
  visit("epilog", order.epilog);
  visit("environment", order.environment);
  visit("output", order.output);
  visit("error", order.error);
  visit("pe_output", order.pe_output);
  visit("pe_error", order.pe_error);
  visit("join", order.join);
  visit("limit", order.limit);
  visit("soft_limit", order.soft_limit);
  visit("limits", order.limits);
  visit("notice", order.notice);
  visit("notice_of_kill", order.notice_of_kill);
  visit("notice_of_suspension", order.notice_of_suspension);
  visit("cgroup", order.cgroup);
  visit("marker", order.marker);
  visit("input", order.input);
  visit("must_exist", order.must_exist);
  visit("lease", order.lease);
  visit("fence", order.fence);
  visit("begin_by", order.begin_by);
  visit("remove_after", order.remove_after);
  if (!has_version(visit, 3)) return;
  visit("suspend", order.suspend);
  visit("resume", order.resume);
  visit("terminate", order.terminate);
  visit("nice", order.nice);
  visit("login", order.login);
  visit("by_starter", order.by_starter);
  if (!has_version(visit, 4)) return;
  visit("interaction", order.interaction);
  if (!has_version(visit, 5)) return;
  visit("binding", order.binding);
  visit("cores", order.cores);
  if (!has_version(visit, 6)) return;
  visit("checkpoint", order.checkpoint);
}

/// Whether a shepherd would take it, once it is filled in. What it would refuse comes from the
/// job's user.
Outcome check_shepherd_order(const ShepherdOrder& order);

} // namespace almanac
