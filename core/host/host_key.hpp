// The register of keys: whose key counts for an execution host, and who may have its name now.
//
// 1. A ticket, signed by the cell, names the key of a host's agent. It has a serial: a higher one
//    takes the name over for good, with the first agent that comes with it.
// 2. A revoked key never comes back. What its ticket was copied to is refused, too.
// 3. While one agent of a host is there, another one with the same key is refused, and told of.
// 4. Tickets of cells of earlier versions have the serial 0 and no end.
#pragma once

#include "core/host/host.hpp"

#include <optional>
#include <string>

namespace almanac {

/// What an agent has proved of itself: the key in its ticket is its own.
struct KeyClaim {
  std::string key; ///< public, in hexadecimal digits; "": told by nobody, as in old journals
  std::int64_t serial = 0;
  Instant expires; ///< 0: never
};
template <class V> void describe(V& visit, KeyClaim& claim) {
  visit("key", claim.key);
  visit("serial", claim.serial);
  visit("expires", claim.expires);
}

/// `awaited`: no agent has come yet since the ticket was made.
enum class KeyState : std::uint8_t { awaited, good, revoked };
template <> inline constexpr KeyState last_of<KeyState> = KeyState::revoked;

/// The record of one host; a host without one is awaited with any ticket.
struct HostKey {
  std::string host;
  KeyState state = KeyState::awaited;
  std::string key;         ///< as in the claim; "": none has come yet
  std::int64_t serial = 0; ///< of the ticket that counts; the least one while awaited
  std::int64_t issued = 0; ///< the highest that was given to a ticket
  Instant since;           ///< when state and serial became what they are
  Instant expires;
  std::string alarm; ///< who else came with this key, in words; "": nobody
  Instant alarm_at;
  bool operator==(const HostKey&) const = default;
};
template <class V> void describe(V& visit, HostKey& key) {
  visit("host", key.host);
  visit("state", key.state);
  visit("key", key.key);
  visit("serial", key.serial);
  visit("issued", key.issued);
  visit("since", key.since);
  visit("expires", key.expires);
  visit("alarm", key.alarm);
  visit("alarm_at", key.alarm_at);
}
inline const std::string& key_of(const HostKey& key) { return key.host; }
inline void set_key(HostKey& key, const std::string& host) { key.host = host; }
const char* name_of(KeyState state);

/// Why this key is not the host's (any more); nothing if it may be.
std::optional<std::string> key_obstacle(const HostKey& known, const KeyClaim& claim, Instant now);

/// Whether another session of the host is open: `there`, or `lively` where it has shown that it is
/// not the one that the newcomer left behind.
enum class Rival : std::uint8_t { none, there, lively };
template <> inline constexpr Rival last_of<Rival> = Rival::lively;

/// Whether an agent gets the name of its host.
struct Admission {
  std::string refusal; ///< why not; "": it does
  std::string alarm;   ///< what people should hear of; "": nothing
};
/// `host` is what is known of the agent that was here last.
Admission admit(const HostKey& known, const HostState& host, const KeyClaim& claim,
                const HostFacts& facts, Rival rival, Instant now);

/// The next serial, for a ticket that is made now; notes it.
std::int64_t issue_serial(HostKey& known);
/// All tickets that were made until now are worth nothing.
void revoke(HostKey& known, Instant now);
/// The agent that was admitted has the name.
void take_over(HostKey& known, const KeyClaim& claim, Instant now);
/// Notes an alarm; false if it is the one that was noted lately.
bool raise_alarm(HostKey& known, const std::string& alarm, Instant now);

} // namespace almanac
