#include "core/planning/reservation_health.hpp"

#include "core/matching/reservation_places.hpp"
#include "core/planning/hooks.hpp"
#include "core/planning/letters.hpp"
#include "core/planning/texts.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

void look_at_health(State& state, ReservationKey key) {
  const auto& reservation = *state.reservation(key);
  if (!reservation.is_granted()) return;
  if (auto bad = texts_of(health(state, reservation)); bad != reservation.bad)
    note_health(state, key, std::move(bad));
}

// A maintenance that closes its hosts tells why. Of one that was repaired, the first mail was of other
// hosts.
std::string why_in_error(const State& state, const Reservation& reservation) {
  for (const auto& grant : reservation.shape.grants)
    if (state.occupancy().maintenances.present_on(grant.instance.host))
      return join(reservation.bad, "; ");
  // What is noted yet is of what was lost before.
  return reservation.original.empty() ? "" : join(reservation.bad, "; ");
}

} // namespace

bool is_lost(const State& state, const InstanceName& instance) {
  const auto& condition = state.instance(instance);
  return state.host(instance.host).phase == HostPhase::unknown || condition.error ||
         condition.disabled || !state.configuration().instance(instance);
}

// Who asks for spare hosts wants them to be used.
bool wants_repair(const State& state, const Reservation& reservation) {
  const auto& request = reservation.request;
  switch (request.repair) {
  case Repair::as_site:
    if (request.nodes > 0) return false; // REPAIR_AR is for qrsub (spec/plus.md P3.28, P3.30)
    return state.configuration().global().repairs_reservations || request.spare > 0;
  case Repair::no: return false;
  default: return true;
  }
}

bool is_to_be_repaired(const State& state, const Reservation& reservation) {
  const auto& grants = reservation.shape.grants;
  return wants_repair(state, reservation) &&
         std::any_of(grants.begin(), grants.end(),
                     [&](const Grant& grant) { return is_lost(state, grant.instance); });
}

// Before its start nobody is told: it may be healthy again by then.
void note_health(State& state, ReservationKey key, std::vector<std::string> bad) {
  const bool was_bad = !state.reservation(key)->bad.empty();
  state.edit<Reservation>(key, [&](Reservation& reservation) { reservation.bad = std::move(bad); });
  const auto& reservation = *state.reservation(key);
  if (reservation.phase != ReservationPhase::running || was_bad == !reservation.bad.empty()) return;
  // Why it was not repaired is over then.
  if (was_bad) mail(state, Occasion::reservation_valid_again, reservation, "");
  else mail(state, Occasion::reservation_in_error, reservation, why_in_error(state, reservation));
  if (!was_bad) tell_of_error(state, reservation);
}

void refresh_reservation_health(State& state) {
  std::vector<ReservationKey> keys;
  for (const auto& reservation : state.reservations()) keys.push_back(reservation.key);
  for (const auto key : keys) look_at_health(state, key);
  state.want_repair();
}

std::size_t refresh_reservation_health(State& state, const std::string& host) {
  const auto keys = state.occupancy().reservations_on.on(host);
  for (const auto key : keys) look_at_health(state, key);
  state.want_repair();
  return keys.size();
}

} // namespace almanac::rules
