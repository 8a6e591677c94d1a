#include "core/matching/attraction.hpp"

#include "core/matching/suitability.hpp"

namespace almanac {

namespace {

// What ends with the reservation was to run for longer (B7.13).
bool may_be_attracted(const Job& job) {
  return !job.reservation_key && !job.request->stays_outside &&
         !sure_length(job.request).is_endless();
}

std::optional<Placement> place_in(const Snapshot& state, const Job& job,
                                  const Reservation& reservation, Instant now) {
  if (reservation_obstacle(state, reservation, job.owner, job.request, now)) return std::nullopt;
  const auto bound = bound_to(job, reservation.key);
  if (obstacle(state, bound, now)) return std::nullopt;
  const auto wanted = make_class_request(state, bound);
  if (!wanted) return std::nullopt;
  auto unread = Obstacles::unwanted();
  return place_now(state, bound, *wanted, false, now, unread);
}

} // namespace

Job bound_to(const Job& job, ReservationKey reservation) {
  auto bound = job;
  bound.reservation_key = reservation;
  bound.holds.clear();
  return bound;
}

std::optional<AttractedPlacement> place_attracted(const Snapshot& state, const Job& job,
                                                  Instant now) {
  if (!state.occupancy().attracting.any() || !may_be_attracted(job)) return std::nullopt;
  for (const auto key : state.occupancy().attracting.keys())
    if (auto place = place_in(state, job, *state.reservation(key), now))
      return AttractedPlacement{key, std::move(*place)};
  return std::nullopt;
}

} // namespace almanac
