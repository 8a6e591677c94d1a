// The order to launch a task on its first host, and what the hosts of a task show each other of it.
#pragma once

#include "core/execution/checkpoint_plan.hpp"
#include "core/execution/process_limits.hpp"
#include "core/job/attempt.hpp"
#include "schema/session/launch_job.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac::session {

/// Which hosts share a task, in the master's words: what its first host shows to the others.
struct Credential {
  std::string store_id;
  Term term;
  Attempt attempt;
  std::string user;
  std::int64_t uid = 0;
  std::vector<std::string> hosts;
  std::int64_t slots = 0;
  std::string script_hash;
  Instant expires; ///< never; agents of earlier versions ask for it
};
template <class V> void describe(V& visit, Credential& c) {
  visit("store_id", c.store_id);
  visit("term", c.term);
  visit("attempt", c.attempt);
  visit("user", c.user);
  visit("uid", c.uid);
  visit("hosts", c.hosts);
  visit("slots", c.slots);
  visit("script_hash", c.script_hash);
  visit("expires", c.expires);
}

/// One host of a task: the first of a list runs the job's script.
struct Part {
  std::string host;
  InstanceName instance;
  std::int64_t slots = 0;
  std::string address; ///< where its agent is reached
  std::string tmpdir;
  std::vector<ProcessLimit> limits; ///< of each process there
  std::string key{};                ///< its agent's, public, in hexadecimal digits; "": not known
  std::string processors{};         ///< of the queue, for PE_HOSTFILE; "": UNDEFINED
};
template <class V> void describe(V& visit, Part& p) {
  visit("host", p.host);
  visit("instance", p.instance);
  visit("slots", p.slots);
  visit("address", p.address);
  visit("tmpdir", p.tmpdir);
  visit("limits", p.limits);
  visit("key", p.key);
  visit("processors", p.processors);
}

/// Signals sent some time before those that can't be caught (-notify); none with 0.
struct Notice {
  Duration ahead;
  std::string kill, suspend; ///< names of signals; "": none
  /// From SIGTERM to SIGKILL of one that gives way, seconds, with or without -notify; 0: it was
  /// launched by a master of an earlier version, and its shepherd may know no TaskAction::preempt.
  std::int64_t patience = 0;
};
template <class V> void describe(V& visit, Notice& n) {
  visit("ahead", n.ahead);
  visit("kill", n.kill);
  visit("suspend", n.suspend);
  visit("patience", n.patience);
}

/// What is done to a task instead of sending the usual signal: another one, or a command.
struct Method {
  std::int64_t signal = 0;
  std::vector<std::string> words;
};
template <class V> void describe(V& visit, Method& m) {
  visit("signal", m.signal);
  visit("words", m.words);
}

/// How the site wants jobs of a queue to be run (core/execution/task_order.hpp).
struct Methods {
  std::vector<std::string> starter;
  Method suspend, resume, terminate;
  std::int64_t nice = 0;
  std::vector<std::string> login_shells;
};
template <class V> void describe(V& visit, Methods& m) {
  visit("starter", m.starter);
  visit("suspend", m.suspend);
  visit("resume", m.resume);
  visit("terminate", m.terminate);
  visit("nice", m.nice);
  visit("login_shells", m.login_shells);
}

struct Launch {
  Attempt attempt;
  LaunchJob job;
  Bytes script;
  std::vector<Part> parts;
  std::string shell, shell_start_mode;
  std::string cell;
  bool control_slaves = false;
  Bytes credential, signature;
  std::string prolog, epilog, pe_start, pe_stop;
  Notice notice;
  bool job_is_first_task =
      false; ///< tasks on the first host are as many as its slots, not one more
  Bytes warrant{}, warrant_signature{}; ///< for the helper of the agent (warrant.hpp)
  std::string checkpoint_directory{};
  Methods methods{};
  CheckpointPlan checkpoint{};
  bool daemon_forks_slaves = false; ///< of those processes, one on each host at once
};
template <class V> void describe(V& visit, Launch& m) {
  visit("attempt", m.attempt);
  visit("job", m.job);
  visit("script", m.script);
  visit("parts", m.parts);
  visit("shell", m.shell);
  visit("shell_start_mode", m.shell_start_mode);
  visit("cell", m.cell);
  visit("control_slaves", m.control_slaves);
  visit("credential", m.credential);
  visit("signature", m.signature);
  visit("prolog", m.prolog);
  visit("epilog", m.epilog);
  visit("pe_start", m.pe_start);
  visit("pe_stop", m.pe_stop);
  visit("notice", m.notice);
  visit("job_is_first_task", m.job_is_first_task);
  visit("warrant", m.warrant);
  visit("warrant_signature", m.warrant_signature);
  visit("checkpoint_directory", m.checkpoint_directory);
  visit("methods", m.methods);
  visit("checkpoint", m.checkpoint);
  visit("daemon_forks_slaves", m.daemon_forks_slaves);
}

} // namespace almanac::session
