// Who is at the other end of a session.
//
//   initiator                               acceptor
//   Hello (name, role, cell, nonce, ticket) -->
//                          <-- Challenge (the same, signed over both nonces)
//   Proof (signed)                          -->
//
// TLS shows that both belong to the cell; names and roles are shown here. A master is known by its
// pinned key, an agent by a ticket that the master's key signed when the host was added.
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
SignedTicket sign_ticket(const SigningKey& master, const std::string& cell, const std::string& host,
                         const std::string& public_key);

class Handshake {
public:
  using Random = std::function<std::string(std::size_t)>;
  Handshake(const Identity& identity, Random random)
      : identity_(identity), random_(std::move(random)) {}

  /// Initiator: begins; `name` "" accepts any peer of the role.
  session::Hello begin(session::Role expected_role, std::string expected_name);
  Result<session::Proof> answer(const session::Challenge& challenge);

  /// Acceptor.
  Result<session::Challenge> challenge(const session::Hello& hello);
  Outcome finish(const session::Proof& proof);

  /// Proved once answer() or finish() has succeeded.
  const std::string& peer_name() const { return peer_name_; }
  session::Role peer_role() const { return peer_role_; }

private:
  std::string transcript(const char* label) const;
  Result<std::string> key_of_peer(const std::string& name, session::Role role, const Bytes& ticket,
                                  const Bytes& signature) const;

  const Identity& identity_;
  Random random_;
  bool initiator_ = false;
  std::string own_nonce_, peer_nonce_, peer_key_;
  std::string peer_name_, expected_name_;
  session::Role peer_role_ = session::Role::none, expected_role_ = session::Role::none;
};

} // namespace almanac
