// Whether a process may act on an order: only on what its signer meant for this host, in this
// session, once.
#pragma once

#include "actors/trust/handshake.hpp"
#include "schema/session_messages.hpp"

#include <string>

namespace almanac {

/// What an order is good for; both ends of a session know it.
struct OrderScope {
  std::string session; ///< Handshake::session_id()
  std::string host;    ///< who obeys
  std::string store_id;
  Term term;
};

/// Signs orders, each with the next number.
class OrderSeal {
public:
  OrderSeal(SigningKey key, OrderScope scope) : key_(std::move(key)), scope_(std::move(scope)) {}
  session::SignedOrder sign(const session::Message& message);

private:
  SigningKey key_;
  OrderScope scope_;
  std::int64_t last_ = 0;
};

/// Opens signed orders, each once and in the order of their numbers.
class OrderCheck {
public:
  OrderCheck(std::string signer, OrderScope scope)
      : signer_(std::move(signer)), scope_(std::move(scope)) {}
  Result<session::Message> open(const session::SignedOrder& order);

private:
  std::string signer_; ///< the public key
  OrderScope scope_;
  std::int64_t last_ = 0;
};

/// Whether the other agent may start processes of an attempt here, or end it: the master's
/// credential names its host as the first of the attempt's hosts, and this one among them. It has no
/// end of its own: it counts as long as the attempt is here, which the caller asks.
Outcome check_peer(const Identity& agent, const std::string& peer, const Attempt& attempt,
                   const Bytes& credential, const Bytes& signature);

} // namespace almanac
