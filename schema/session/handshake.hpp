// How a session begins: who is at its ends, proved with the keys that the cell has signed
// (actors/trust/handshake.hpp; design.md section 1.6).
#pragma once

#include "core/base/describe.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <string>

namespace almanac::session {

enum class Role : std::uint8_t { none, master, agent };

/// Who may speak as an agent: signed by the master's key when the host is added.
struct Ticket {
  std::string cell;
  std::string name;
  Role role = Role::none;
  Bytes public_key;        ///< Ed25519, 32 bytes
  std::int64_t serial = 0; ///< core/host/host_key.hpp
  Instant expires{};       ///< 0: never
};
template <class V> void describe(V& visit, Ticket& t) {
  visit("cell", t.cell);
  visit("name", t.name);
  visit("role", t.role);
  visit("public_key", t.public_key);
  visit("serial", t.serial);
  visit("expires", t.expires);
}

struct Hello {
  std::int64_t version = 1;
  std::string cell;
  std::string name;
  Role role = Role::none;
  Bytes nonce;
  Bytes ticket, ticket_signature;
};
template <class V> void describe(V& visit, Hello& m) {
  visit("version", m.version);
  visit("cell", m.cell);
  visit("name", m.name);
  visit("role", m.role);
  visit("nonce", m.nonce);
  visit("ticket", m.ticket);
  visit("ticket_signature", m.ticket_signature);
}

/// The acceptor's side; its signature covers the Hello, too (actors/trust/handshake.hpp).
struct Challenge {
  std::string name;
  Role role = Role::none;
  Bytes nonce;
  Bytes ticket, ticket_signature;
  Bytes signature;
};
template <class V> void describe(V& visit, Challenge& m) {
  visit("name", m.name);
  visit("role", m.role);
  visit("nonce", m.nonce);
  visit("ticket", m.ticket);
  visit("ticket_signature", m.ticket_signature);
  visit("signature", m.signature);
}

struct Proof {
  Bytes signature;
};
template <class V> void describe(V& visit, Proof& m) { visit("signature", m.signature); }

struct Welcome {
  Term term;
  std::string store_id;
  Bytes signature{}; ///< the acceptor's, over all that was said
};
template <class V> void describe(V& visit, Welcome& m) {
  visit("term", m.term);
  visit("store_id", m.store_id);
  visit("signature", m.signature);
}

struct Refused {
  std::string reason;
};
template <class V> void describe(V& visit, Refused& m) { visit("reason", m.reason); }

} // namespace almanac::session

namespace almanac {
template <> inline constexpr session::Role last_of<session::Role> = session::Role::agent;
} // namespace almanac
