#include "core/planning/whole_reservations.hpp"

#include "core/matching/node_places.hpp"
#include "core/matching/reservation_places.hpp"

#include <utility>
#include <vector>

namespace almanac::rules {

namespace {

void fill_up(const State& state, const Reservation& reservation, const ReservationRequest& request,
             Shape& shape) {
  if (!request.whole_nodes || shape.grants.empty()) return;
  const auto demand =
      demand_of_reservation(state, reservation.owner, request, NamedQueues::may_be_gone);
  if (!demand) return;
  auto grants = shape.grants;
  for (auto& grant : grants)
    if (const auto* instance = state.configuration().instance(grant.instance);
        instance && !instance->orphaned)
      grant.slots = instance->settings.slots;
  auto whole = whole_nodes(state, Supply::of_reservations(state, demand->preempts), *demand,
                           std::move(grants));
  shape.grants = std::move(whole.grants), shape.bookings = std::move(whole.bookings);
}

bool is_whole(const Reservation& reservation) {
  return !reservation.is_over() &&
         (reservation.request.whole_nodes ||
          (!reservation.proposed.empty() && reservation.proposed.front().request.whole_nodes));
}

} // namespace

void follow_whole_nodes(State& state) {
  std::vector<Reservation> changed;
  for (const auto& reservation : state.reservations()) {
    if (!is_whole(reservation)) continue;
    auto next = reservation;
    fill_up(state, reservation, next.request, next.shape);
    for (auto& proposal : next.proposed)
      fill_up(state, reservation, proposal.request, proposal.shape);
    if (!books_the_same(reservation, next)) changed.push_back(std::move(next));
  }
  for (auto& next : changed) state.put(std::move(next));
}

} // namespace almanac::rules
