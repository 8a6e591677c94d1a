#include "core/planning/facts/spare_hosts.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/matching/spare_places.hpp"
#include "core/planning/reservation_health.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace almanac::rules {

namespace {

using Hosts = std::set<std::string>;

Hosts hosts_of(const std::vector<Grant>& grants) {
  Hosts hosts;
  for (const auto& grant : grants) hosts.insert(grant.instance.host);
  return hosts;
}

// What is booked for spare hosts is of hosts and queue instances.
bool lies_on(const Booking& booking, const Hosts& hosts) {
  const auto& name = booking.container.name;
  return std::any_of(hosts.begin(), hosts.end(), [&](const std::string& host) {
    return name == host || name.ends_with("@" + host);
  });
}

bool is_closed(const State& state, const InstanceName& name, Window window) {
  const auto* instance = state.configuration().instance(name);
  return instance && state.closures().closing(*instance, window);
}

// As many as it asks for, none of them used, lost or in maintenance, and together as large as they
// have to be.
bool are_ready(const State& state, const Reservation& reservation, Window window) {
  const auto& spares = reservation.shape.spares;
  const auto granted = hosts_of(reservation.shape.grants);
  if (static_cast<std::int64_t>(hosts_of(spares).size()) != reservation.request.spare) return false;
  return std::none_of(spares.begin(), spares.end(), [&](const Grant& spare) {
    return granted.contains(spare.instance.host) || is_lost(state, spare.instance) ||
           is_closed(state, spare.instance, window);
  });
}

// One that is lost may come back: it stays until there is another one, or a maintenance.
void keep_lost(const State& state, const Shape& shape, Window window, std::int64_t missing,
               Assignment& next) {
  auto taken = hosts_of(shape.grants);
  taken.merge(hosts_of(next.spares));
  Hosts kept;
  for (const auto& spare : shape.spares) {
    const auto& host = spare.instance.host;
    if (taken.contains(host) || !is_lost(state, spare.instance) ||
        is_closed(state, spare.instance, window))
      continue;
    if (!kept.contains(host) && missing-- <= 0) break;
    kept.insert(host);
    next.spares.push_back(spare);
  }
  for (const auto& booking : shape.spare_bookings)
    if (lies_on(booking, kept)) next.spare_bookings.push_back(booking);
}

} // namespace

void drop_used_spares(Shape& shape) {
  const auto granted = hosts_of(shape.grants);
  std::erase_if(shape.spares,
                [&](const Grant& spare) { return granted.contains(spare.instance.host); });
  std::erase_if(shape.spare_bookings,
                [&](const Booking& booking) { return lies_on(booking, granted); });
}

void replenish_spares(State& state, ReservationKey key, Instant now) {
  const auto& reservation = *state.reservation(key);
  const auto& shape = reservation.shape;
  if (reservation.request.spare == 0 || shape.window.end <= now) return;
  const Window window{std::max(now, shape.window.start), shape.window.end};
  if (are_ready(state, reservation, window)) return;
  auto demand = demand_of_reservation(state, reservation.owner, reservation.request,
                                      NamedQueues::may_be_gone);
  if (!demand) return;
  demand->pe = shape.pe;
  Assignment next{shape.pe, shape.grants, {}};
  {
    Unbooked looking(state, key);
    for (const auto& left : reservation.left_behind)
      looking.book(left.bookings, window_of(left, shape));
    auto unread = Obstacles::unwanted();
    const auto candidates = reservation_candidates(state, *demand, window, unread).healthy;
    const auto found = add_spares(state, Supply::of_promises(state, false), *demand, window,
                                  candidates, shape.spares, next);
    keep_lost(state, shape, window, reservation.request.spare - found, next);
  }
  if (next.spares == shape.spares && next.spare_bookings == shape.spare_bookings) return;
  state.edit<Reservation>(key, [&](Reservation& changed) {
    changed.shape.spares = std::move(next.spares);
    changed.shape.spare_bookings = std::move(next.spare_bookings);
  });
}

} // namespace almanac::rules
