#include "core/planning/keyed_reservations.hpp"

namespace almanac::rules {

bool has_key(const Reservation& reservation) {
  return !reservation.sealed_secret.empty() || !reservation.request.public_key.empty();
}

bool is_keyed(const Reservation& reservation) {
  return has_key(reservation) && !reservation.is_over();
}

bool needs_its_key(const Snapshot& state, ReservationNumber number) {
  if (!number || !state.configuration().scheduler().plus.meta_needs_key) return false;
  const auto* reservation = state.reservation_by_number(number);
  return reservation && is_keyed(*reservation);
}

} // namespace almanac::rules
