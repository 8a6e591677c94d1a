// What the master signs for the helper of an agent, which alone is root: that one task may be
// launched on one host, once, and all that is to be run for it.
//
// The helper reads no Cap'n Proto, so the order is repeated here as fields (core/text/fields.hpp),
// without its script, of which the warrant has the digest.
//
// 1. A nonce is the helper's: it makes another one every few seconds, and takes those of the last
//    minute. The master hears of it through the agent's Register and Renew. So a warrant that is
//    held back is soon good for nothing, by the clock of the helper alone.
// 2. Numbers rise with each warrant of a term, and terms with each start of the master: a helper
//    takes each once by remembering the last.
#pragma once

#include "core/text/fields.hpp"
#include "schema/session_messages.hpp"

#include <string>

namespace almanac {

struct Warrant {
  std::string host;
  Bytes nonce;
  std::int64_t number = 0; ///< from 1
  std::string store_id;
  std::int64_t term = 0;     ///< of the master
  std::string script_sha256; ///< in hexadecimal digits, of launch.script; "": there is none
  session::Launch launch;    ///< without script, credential and the warrant itself
};
template <class V> void describe(V& visit, Warrant& w) {
  visit("host", w.host);
  visit("nonce", w.nonce);
  visit("number", w.number);
  visit("store_id", w.store_id);
  visit("term", w.term);
  visit("script_sha256", w.script_sha256);
  visit("launch", w.launch);
}

/// Comes before the bytes where they are signed: no other signature of the master's is one of a
/// warrant.
inline constexpr const char* warrant_label = "almanac-warrant\n";
inline constexpr std::string_view warrant_format = "almanac-warrant 1\n";

inline std::string print_warrant(const Warrant& warrant) {
  return print_fields(warrant, warrant_format);
}

/// The error names the first field that is not as it was printed, or that makes no sense.
inline Result<Warrant> parse_warrant(std::string_view text) {
  auto warrant = parse_fields<Warrant>(text, warrant_format, "the warrant");
  if (!warrant) return warrant;
  const auto& launch = warrant->launch;
  if (warrant->number < 1 || launch.job.tasks.size() != 1 ||
      launch.job.tasks.front().grants.empty() || launch.parts.empty() || launch.attempt.job < 0 ||
      launch.attempt.task < 0 || launch.attempt.attempt < 0)
    return Error{"the warrant: it is for no task"};
  return warrant;
}

/// A process of qrsh -inherit, which the user's own command asks for while the task runs: the
/// master is not asked, and need not be there. The agent of the task's first host, which has heard
/// the user, signs it for the host where it is to run; its key is in the task's warrant
/// (Part::key).
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
