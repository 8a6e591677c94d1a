// What the master signs for the helper of an agent, which alone is root: that one task may be
// launched on one host, once, and all that is to be run for it.
//
// The helper reads no Cap'n Proto: this is fields (core/text/fields.hpp). Nothing of a job's record
// is in it, so records may change without it; of the script there is the digest.
//
// 1. A nonce is the helper's: it makes another one every few seconds, and takes those of the last
//    minute. The master hears of it through the agent's Register and Renew. So a warrant that is
//    held back is soon good for nothing, by the clock of the helper alone.
// 2. Numbers rise with each warrant of a term, and terms with each start of the master: a helper
//    takes each once by remembering the last.
// 3. A helper reads each field or nothing. Whoever adds one raises `warrant_version`, and lets the
//    master write the version before it, too: agents say in Register which one their helper reads.
#pragma once

#include "core/execution/host_words.hpp"
#include "core/execution/shepherd_order.hpp"
#include "core/job/attempt.hpp"
#include "core/text/fields.hpp"

#include <string>

namespace almanac {

struct Warrant {
  std::string host;
  Bytes nonce;
  std::int64_t number = 0; ///< from 1
  std::string store_id;
  Term term; ///< of the master
  Attempt attempt;
  std::string user; ///< who owns the job, and whom `uid` has to be on the host
  std::int64_t uid = 0;
  std::string tmpdir;          ///< of the queue; the task's is made in it
  std::string task_name;       ///< "12.1.all.q": what it is called there
  std::string pe_hostfile;     ///< its content; "": there is none
  bool has_script = false;     ///< a file of its own
  std::string script_sha256;   ///< in hexadecimal digits; "": it is empty, or there is none
  std::string first_host;      ///< which runs the job's own process
  std::string first_key;       ///< its agent's, public, in hexadecimal digits; "": not known
  bool control_slaves = false; ///< there may be processes of qrsh -inherit
  ShepherdOrder order;         ///< with marks; on other hosts than the first for those processes
};
template <class V> void describe(V& visit, Warrant& w) {
  visit("host", w.host);
  visit("nonce", w.nonce);
  visit("number", w.number);
  visit("store_id", w.store_id);
  visit("term", w.term);
  visit("attempt", w.attempt);
  visit("user", w.user);
  visit("uid", w.uid);
  visit("tmpdir", w.tmpdir);
  visit("task_name", w.task_name);
  visit("pe_hostfile", w.pe_hostfile);
  visit("has_script", w.has_script);
  visit("script_sha256", w.script_sha256);
  visit("first_host", w.first_host);
  visit("first_key", w.first_key);
  visit("control_slaves", w.control_slaves);
  visit("order", w.order);
}

/// Comes before the bytes where they are signed: no other signature of the master's is one of a
/// warrant.
inline constexpr const char* warrant_label = "almanac-warrant\n";
inline constexpr std::int64_t warrant_version = 6;
inline constexpr std::int64_t oldest_warrant_version = 2; ///< that is still written and read
inline constexpr std::int64_t interactive_version = 4;    ///< the first with interactive jobs
/// How the bytes of a version begin.
inline std::string warrant_format(std::int64_t version = warrant_version) {
  return "almanac-warrant " + std::to_string(version) + "\n";
}

/// In a version that its helper reads. Version 2 has no methods, no nice value and no login shells,
/// version 3 no interactive jobs, version 4 no
/// binding: such a helper runs a task unbound; version 5 no checkpoints: none are made there.
inline std::string print_warrant(const Warrant& warrant, std::int64_t version = warrant_version) {
  return print_fields(warrant, warrant_format(version), version);
}

/// Marks are in the order alone: a system takes what comes before a zero byte for the whole.
class WithoutZeroBytes {
public:
  bool holds = true;
  template <class T> void operator()(const char*, T& field) {
    if constexpr (std::is_same_v<T, std::string>) holds = holds && field.find('\0') == field.npos;
    else if constexpr (std::is_same_v<T, Attempt>) describe(*this, field);
  }
};

/// The error names the first field that is not as it was printed, or says that it makes no sense.
inline Result<Warrant> parse_warrant(std::string_view text) {
  // A task may have been launched before its agent was upgraded.
  auto version = warrant_version;
  while (version > oldest_warrant_version && !text.starts_with(warrant_format(version))) --version;
  auto warrant = parse_fields<Warrant>(text, warrant_format(version), "the warrant",
                                       ZeroBytes::taken, version);
  if (!warrant) return warrant;
  WithoutZeroBytes check;
  describe(check, *warrant);
  const auto& [job, task, attempt] = warrant->attempt;
  if (!check.holds || warrant->number < 1 || job.value < 0 || task < 0 || attempt < 0)
    return Error{"the warrant: it is for no task"};
  return warrant;
}

/// A task that runs may run for longer than its warrant says: its reservation ends later. It is
/// numbered with the warrants, and good for as long.
struct LimitWarrant {
  std::string host; ///< where the job's own process runs
  Bytes nonce;
  std::int64_t number = 0;
  std::string store_id;
  Term term;
  Attempt attempt;
  std::int64_t limit = 0; ///< seconds since the process began; a shorter one than it has is none
};
template <class V> void describe(V& visit, LimitWarrant& w) {
  visit("host", w.host);
  visit("nonce", w.nonce);
  visit("number", w.number);
  visit("store_id", w.store_id);
  visit("term", w.term);
  visit("attempt", w.attempt);
  visit("limit", w.limit);
}

inline constexpr const char* limit_label = "almanac-limit\n";
inline constexpr std::string_view limit_format = "almanac-limit 1\n";
inline constexpr std::int64_t longest_limit = 200LL * 365 * 86'400; ///< seconds

inline std::string print_limit(const LimitWarrant& warrant) {
  return print_fields(warrant, limit_format);
}
/// The error names the first field that is not as it was printed, or says that it makes no sense.
inline Result<LimitWarrant> parse_limit(std::string_view text) {
  auto warrant = parse_fields<LimitWarrant>(text, limit_format, "the warrant for a limit");
  if (warrant && (warrant->number < 1 || warrant->limit < 1 || warrant->limit > longest_limit))
    return Error{"the warrant for a limit: it is for none"};
  return warrant;
}

/// A process of qrsh -inherit, which the user's own command asks for while the task runs: the
/// master is not asked, and need not be there. The agent of the task's first host, which has heard
/// the user, signs it for the host where it is to run; its key is in the task's warrant
/// (Warrant::first_key). Of a hook that is the master itself (actors/master/host_hooks.hpp).
struct CallOrder {
  std::string host; ///< where it is to run
  Attempt attempt;
  std::int64_t number = 0; ///< each once for an attempt, from 1
  std::vector<std::string> words;
  std::vector<Attribute> environment; ///< of its caller, beside that of the task
  std::string directory;              ///< "": the task's
  bool input = false;                 ///< something will be written to it
};
template <class V> void describe(V& visit, CallOrder& c) {
  visit("host", c.host);
  visit("attempt", c.attempt);
  visit("number", c.number);
  visit("words", c.words);
  visit("environment", c.environment);
  visit("directory", c.directory);
  visit("input", c.input);
}

/// What is signed of it.
inline std::string print_call(const CallOrder& call) {
  return print_fields(call, "almanac-call 1\n");
}

} // namespace almanac
