// Whether an agent may act on an order: only what the master's key has signed.
#pragma once

#include "actors/trust/handshake.hpp"
#include "schema/session_messages.hpp"

namespace almanac {

/// Reads a credential and checks signature, expiry and that it names this host.
Result<session::Credential> check_credential(const Identity& agent, const Bytes& credential,
                                             const Bytes& signature, Instant now);

/// The same, and that the order says what was signed: attempt, user, script, hosts.
Outcome check_order(const Identity& agent, const session::Launch& order, Instant now);

} // namespace almanac
