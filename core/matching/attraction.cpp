#include "core/matching/attraction.hpp"

#include "core/matching/suitability.hpp"

#include <set>

namespace almanac {

namespace {

// What ends with the reservation was to run for longer (B7.13).
bool may_be_attracted(const Job& job) {
  return !job.reservation_key && !job.request->stays_outside &&
         !sure_length(job.request).is_endless();
}

// A quick look: a full reservation is asked again and again.
bool may_have_room(const Snapshot& state, const Reservation& reservation, std::int64_t slots,
                   Instant now) {
  const auto& ledger = state.ledger_of(reservation.key);
  std::set<InstanceName> seen;
  auto free = reservation.shape.slots();
  for (const auto& grant : reservation.shape.grants)
    if (seen.insert(grant.instance).second)
      free -= ledger.used(Container::queue(grant.instance), "slots", {now, now + Duration{1}});
  return free >= slots;
}

// What the job asks for is the same in each of them, and made when it is first needed.
class Search {
public:
  Search(const Snapshot& state, const Job& job, Instant now)
      : state_(state), job_(job), now_(now) {}

  std::optional<Placement> place_in(const Reservation& reservation) {
    if (reservation_obstacle(state_, reservation, job_.owner, job_.request, now_) ||
        !may_have_room(state_, reservation, least_slots(job_.request), now_))
      return std::nullopt;
    const auto bound = bound_to(job_, reservation.key);
    if (obstacle(state_, bound, now_)) return std::nullopt;
    if (!wanted_) wanted_ = make_class_request(state_, bound);
    if (!wanted_->ok()) return std::nullopt;
    auto unread = Obstacles::unwanted();
    return place_now(state_, bound, **wanted_, false, now_, unread);
  }

private:
  const Snapshot& state_;
  const Job& job_;
  Instant now_;
  std::optional<Result<ClassRequest, Statement>> wanted_;
};

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
  Search search(state, job, now);
  for (const auto key : state.occupancy().attracting.keys())
    if (auto place = search.place_in(*state.reservation(key)))
      return AttractedPlacement{key, std::move(*place)};
  return std::nullopt;
}

} // namespace almanac
