// Who is at the other end of a session.
//
//   initiator, an agent                     acceptor
//   Hello (name, role, cell, nonce, ticket) -->
//                                 <-- Challenge (the same, signed)
//   Proof (signed)                          -->
//                                 <-- Welcome (term and store, signed)
//
// 1. Each signature covers all that both have said so far, in order, the binding of the channel
//    and the message that carries it: what somebody between them changes or relays to another
//    channel is not what was signed.
// 2. A master is known by its pinned key, an agent by a ticket that the master's key signed when
//    the host was added. Only agents begin. Whether the ticket still counts is the register's
//    question (core/host/host_key.hpp), which the master asks.
// 3. A field that comes to one of these messages makes another protocol version: it is signed.
#pragma once

#include "actors/trust/keyring.hpp"
#include "schema/session_messages.hpp"

#include <functional>
#include <string>

namespace almanac {

/// What a process needs to prove who it is.
struct Identity {
  std::string cell;
  std::string name;
  session::Role role = session::Role::none;
  SigningKey key;
  std::string ticket, ticket_signature; ///< of agents
  std::string master_key;               ///< public
};

/// An agent's ticket, signed by the master's key.
struct SignedTicket {
  std::string ticket, signature;
};
/// `serial` and `expires` as in core/host/host_key.hpp.
SignedTicket sign_ticket(const SigningKey& master, const std::string& cell, const std::string& host,
                         const std::string& public_key, std::int64_t serial, Instant expires = {});

class Handshake {
public:
  using Random = std::function<std::string(std::size_t)>;
  /// `binding`: what both ends know of their channel, and nobody knows of another one.
  Handshake(const Identity& identity, Random random, const std::string& binding);

  /// Initiator: begins; `name` "" accepts any peer of the role.
  session::Hello begin(session::Role expected_role, std::string expected_name);
  Result<session::Proof> answer(const session::Challenge& challenge);
  Outcome enter(const session::Welcome& welcome);

  /// Acceptor.
  Result<session::Challenge> challenge(const session::Hello& hello);
  Outcome finish(const session::Proof& proof);
  session::Welcome welcome(session::Welcome welcome);

  /// Proved once answer() or finish() has succeeded.
  const std::string& peer_name() const { return peer_name_; }
  const std::string& peer_key() const { return peer_key_; }
  /// The same key with what its ticket says of it; of an agent.
  const KeyClaim& peer_claim() const { return peer_claim_; }
  /// A number for this very session, which both sides have made: of all that was said.
  std::string session_id() const { return sha256(said_); }

private:
  std::string to_sign(const char* who, session::Message unsigned_message) const;
  void note(session::Message message);
  Result<std::string> key_of_peer(const std::string& name, session::Role role, const Bytes& ticket,
                                  const Bytes& signature);

  const Identity& identity_;
  Random random_;
  std::string said_; ///< by both sides, in order
  std::string peer_name_, peer_key_, expected_name_;
  KeyClaim peer_claim_;
  session::Role expected_role_ = session::Role::none;
};

} // namespace almanac
