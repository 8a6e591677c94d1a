// The signed orders of one session. One of its ends gives them, the other obeys: the master orders
// an agent, and an agent one that it has called. While it is shut, nobody does.
#pragma once

#include "actors/session/protocol.hpp"
#include "actors/trust/order.hpp"

#include <optional>

namespace almanac {

class SessionOrders {
public:
  /// After the handshake, at the end that hears as `listener`; `welcome` was said in it.
  void open(Listener listener, const Identity& own, const Handshake& handshake,
            const session::Welcome& welcome);
  void shut() { seal_.reset(), check_.reset(); }
  bool is_open() const { return seal_ || check_; }

  /// Nothing at the end that obeys, and while it is shut.
  std::optional<session::Message> sign(const session::Message& order);
  /// At the end that obeys: what is ordered, or why it is not obeyed.
  Result<session::Message> read(const session::SignedOrder& order) { return check_->open(order); }

private:
  std::optional<OrderSeal> seal_;
  std::optional<OrderCheck> check_;
};

} // namespace almanac
