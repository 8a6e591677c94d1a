#include "actors/session/session_orders.hpp"

#include <utility>

namespace almanac {

void SessionOrders::open(Listener listener, const Identity& own, const Handshake& handshake,
                         const session::Welcome& welcome) {
  const bool orders = gives_orders(listener);
  OrderScope scope{handshake.session_id(), orders ? handshake.peer_name() : own.name,
                   welcome.store_id, welcome.term};
  if (orders) seal_.emplace(own.key, std::move(scope));
  else check_.emplace(handshake.peer_key(), std::move(scope));
}

std::optional<session::Message> SessionOrders::sign(const session::Message& order) {
  if (!seal_) return std::nullopt;
  return seal_->sign(order);
}

} // namespace almanac
