// What the network half of an agent asks its helper, and what it is told: packets of fields
// (core/text/fields.hpp) between two ends of a socket pair, with open files beside them.
//
// The helper believes nothing of a request but what the master has signed: the network half reads
// what comes from everybody.
#pragma once

#include "core/base/attribute.hpp"
#include "core/job/attempt.hpp"
#include "core/job/interaction.hpp"
#include "core/text/fields.hpp"

#include <string>
#include <vector>

namespace almanac {

enum class HelperVerb : std::uint8_t {
  none,
  prepare,
  launch,
  control,
  remove,
  adopt,
  prolong,
  sense
};
template <> inline constexpr HelperVerb last_of<HelperVerb> = HelperVerb::sense;

struct HelperRequest {
  HelperVerb verb = HelperVerb::none;
  Attempt attempt; ///< not of prepare: the warrant says it
  /// A process of qrsh -inherit, by CallOrder::number; 0: the job's own. Of sense, the place of a
  /// load sensor in the order, from 0.
  std::int64_t call = 0;
  /// Of prepare, and of adopt; of prolong, that for a limit; of sense, the SensorOrder.
  Bytes warrant;
  Bytes script;    ///< of prepare
  Bytes signature; ///< over the warrant; of a launch with a call, over that
  /// Of control: what a shepherd hears (k, t, m, s, c, h) or "end", where it is gone; of sense,
  /// start or end.
  std::string command;
  std::vector<std::string> words;     ///< of a launch with a call, as all below
  std::vector<Attribute> environment; ///< of its caller, beside that of the task
  std::string directory;
  bool input = false;          ///< something will be written to it; of a launch without a call, too
  TerminalSize terminal{0, 0}; ///< of a launch of an interactive job
};
template <class V> void describe(V& visit, HelperRequest& r) {
  visit("verb", r.verb);
  visit("attempt", r.attempt);
  visit("call", r.call);
  visit("warrant", r.warrant);
  visit("signature", r.signature);
  visit("script", r.script);
  visit("command", r.command);
  visit("words", r.words);
  visit("environment", r.environment);
  visit("directory", r.directory);
  visit("input", r.input);
  visit("terminal", r.terminal);
}

struct HelperReply {
  std::string refusal;            ///< "": it is done
  std::int64_t failed = 0;        ///< with a refusal, or of "end": the code for the task's record
  bool user_fault = false;        ///< another host would refuse, too
  bool known = false;             ///< of adopt: the task was prepared here
  std::vector<std::string> files; ///< what each open file is: connection, progress, output, …
  Bytes nonce;                    ///< what warrants have to name from now on
};
template <class V> void describe(V& visit, HelperReply& r) {
  visit("refusal", r.refusal);
  visit("failed", r.failed);
  visit("user_fault", r.user_fault);
  visit("known", r.known);
  visit("files", r.files);
  visit("nonce", r.nonce);
}

/// What the helper says first, so that the network half opens nothing that is root's.
struct HelperGreeting {
  std::string directory, spool; ///< of the agent; the network half's own part of its spool
  std::string spool_id;
  Bytes nonce;
  std::string master_key; ///< 32 bytes in hexadecimal digits
};
template <class V> void describe(V& visit, HelperGreeting& g) {
  visit("directory", g.directory);
  visit("spool", g.spool);
  visit("spool_id", g.spool_id);
  visit("nonce", g.nonce);
  visit("master_key", g.master_key);
}

inline constexpr std::string_view request_format = "almanac-helper-request 1\n";
inline constexpr std::string_view reply_format = "almanac-helper-reply 1\n";
inline constexpr std::string_view greeting_format = "almanac-helper-greeting 1\n";

/// A packet with the open files that came or go with it; they are its receiver's to close.
struct HelperPacket {
  std::string text;
  std::vector<int> files;
};

/// False with errno set; waits while the other side is behind. What is too long for a packet goes
/// in a file without a name.
bool send_packet(int socket, const std::string& text, const std::vector<int>& files = {});
/// False at the end of the connection. A packet that is no packet of ours is one without text.
bool receive_packet(int socket, HelperPacket& packet);

} // namespace almanac
