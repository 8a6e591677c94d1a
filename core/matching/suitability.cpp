#include "core/matching/suitability.hpp"

#include "core/matching/class_request.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "core/policy/standing.hpp"

#include <algorithm>
#include <set>

namespace almanac {

namespace {

bool is_reserved(const Reservation& reservation, const QueueInstance& instance,
                 Obstacles& obstacles) {
  if (has_part_on(reservation, instance.name)) return true;
  obstacles.add_made([&] {
    return Statement{AnswerCode::not_reserved,
                     {{"queue", instance.name.text()}, {"reservation", reservation.number}}};
  });
  return false;
}

// The job has to begin and end within the reservation's window (J4 and J5).
std::optional<Statement> window_obstacle(const JobRequest& request, Window window, Duration offset,
                                         Instant now) {
  const auto limit = sure_length(request);
  const auto start = std::max({now, window.start, request.execution_time});
  const auto about = [&](AnswerCode code, Detail detail) {
    return Statement{code,
                     {{"reservation", request.reservation},
                      std::move(detail),
                      {"reserved", window.length()},
                      {"offset", offset.seconds}}};
  };
  if (!limit.is_endless() && limit > window.length() - offset)
    return about(AnswerCode::longer_than_reservation, {"requested", limit});
  if (limit.is_endless() && start >= window.end - offset)
    return about(AnswerCode::begins_too_late, {"after", start - window.start});
  if (!limit.is_endless() && start + limit > window.end - offset)
    return about(AnswerCode::exceeds_reservation, {"requested", limit});
  return std::nullopt;
}

} // namespace

namespace {

// The first that fits, else the longest one.
template <class Fits> const Reservation*
occurrence_for(const Snapshot& state, const std::set<ReservationNumber>& meant, Fits fits) {
  const Reservation *first = nullptr, *longest = nullptr;
  for (const auto series : meant)
    for (const auto key : state.occupancy().standing_series.occurrences(series)) {
      const auto& one = *state.reservation(key);
      const auto& window = one.shape.window;
      if (!longest || window.length() > longest->shape.window.length()) longest = &one;
      if ((!first || window.start < first->shape.window.start) && fits(one)) first = &one;
    }
  return first ? first : longest;
}

// That a job means by the number; none if it is not that of a series.
const std::set<ReservationNumber>& series_meant(const Snapshot& state, const JobRequest& request) {
  return state.occupancy().standing_series.meant_by(request.reservation);
}

// Whoever owns the job.
const Reservation* meant_by(const Snapshot& state, const JobRequest& request, Instant now) {
  const auto& meant = series_meant(state, request);
  if (meant.empty()) return state.reservation_by_number(request.reservation);
  const auto offset = state.configuration().scheduler().duration_offset;
  return occurrence_for(state, meant, [&](const Reservation& one) {
    return !window_obstacle(request, one.shape.window, offset, now);
  });
}

} // namespace

const Reservation* meant_reservation(const Snapshot& state, const Caller& owner,
                                     const JobRequest& request, Instant now) {
  const auto& meant = series_meant(state, request);
  if (meant.empty()) return state.reservation_by_number(request.reservation);
  return occurrence_for(state, meant, [&](const Reservation& one) {
    return !reservation_obstacle(state, one, owner, request, now);
  });
}

std::optional<Statement> reservation_obstacle(const Snapshot& state, const Caller& owner,
                                              const JobRequest& request, Instant now) {
  const auto number = request.reservation;
  const auto* reservation = meant_reservation(state, owner, request, now);
  if (!reservation || reservation->phase == ReservationPhase::proposed ||
      reservation->phase == ReservationPhase::expired)
    return Statement{AnswerCode::invalid_reservation, {{"reservation", number}}};
  return reservation_obstacle(state, *reservation, owner, request, now);
}

std::optional<Statement> reservation_obstacle(const Snapshot& state, const Reservation& reservation,
                                              const Caller& owner, const JobRequest& request,
                                              Instant now) {
  const auto number = request.reservation;
  if (reservation.is_over())
    return Statement{AnswerCode::reservation_gone, {{"reservation", number}}};
  if (!admits(state.configuration(), reservation, owner))
    return Statement{AnswerCode::user_not_admitted,
                     {{"user", owner.user}, {"reservation", number}}};
  const auto& window = reservation.shape.window;
  if (auto why =
          window_obstacle(request, window, state.configuration().scheduler().duration_offset, now))
    return why;
  if (request.deadline.seconds > 0 && request.deadline < window.start)
    return Statement{AnswerCode::deadline_before_reservation,
                     {{"before", window.start - request.deadline}, {"reservation", number}}};
  return std::nullopt;
}

SuitabilitySearch::SuitabilitySearch(const Snapshot& state, Demand demand,
                                     const JobRequest& request, Instant now)
    : SuitabilitySearch(state, std::move(demand), request, meant_by(state, request, now), now) {}

SuitabilitySearch::SuitabilitySearch(const Snapshot& state, Demand demand,
                                     const JobRequest& request, const Reservation* reservation,
                                     Instant now)
    : state_(state), demand_(std::move(demand)) {
  for (const auto& instance : state.configuration().instances()) {
    if (instance.orphaned && !reservation) continue;
    if (could_serve(state, instance, demand_, found_.obstacles) &&
        (!reservation || is_reserved(*reservation, instance, found_.obstacles)))
      candidates_.push_back(&instance);
  }
  const auto limit = sure_length(request);
  const auto gross =
      limit.is_endless() ? limit : limit + state.configuration().scheduler().duration_offset;
  windows_.push_back({now, now + gross});
  if (!reservation && !limit.is_endless())
    for (const auto& other : state.reservations())
      if (const auto end = other.shape.window.end;
          other.is_granted() && end > now && !end.is_never())
        windows_.push_back({end, end + gross});
  if (reservation) {
    supply_ = Supply::of_empty_reservation(state, *reservation);
    return;
  }
  const auto claim = claim_of(state.configuration(), request, candidates_);
  supply_ = Supply::of_empty_cluster(state, claim, gives_way(state.configuration(), claim));
}

bool SuitabilitySearch::look() {
  found_.assignment =
      assign(state_, supply_, demand_, windows_[looked_], candidates_, found_.obstacles);
  return !found_.assignment && ++looked_ < windows_.size();
}

bool is_suitable_in(const Snapshot& state, const Reservation& reservation, const Demand& demand,
                    const JobRequest& request, Instant now) {
  SuitabilitySearch search(state, demand, request, &reservation, now);
  search.look();
  return search.found().assignment.has_value();
}

// Nothing comes into it meanwhile: the latest start is the best.
bool has_room_in(const Snapshot& state, const Reservation& reservation, const Demand& demand,
                 const JobRequest& request, Instant now) {
  auto unread = Obstacles::unwanted();
  Instances candidates;
  for (const auto& instance : state.configuration().instances())
    if (has_part_on(reservation, instance.name) && could_serve(state, instance, demand, unread))
      candidates.push_back(&instance);
  const auto limit = sure_length(request);
  const auto length = limit.is_endless() ? Duration{1} : std::max(Duration{1}, limit);
  const auto end = reservation.shape.window.end - state.configuration().scheduler().duration_offset;
  return assign(state, Supply::of_reservation(state, reservation, now), demand,
                {std::max(now, end - length), end}, candidates, unread)
      .has_value();
}

Suitability suitable(const Snapshot& state, const Demand& demand, const JobRequest& request,
                     Instant now) {
  SuitabilitySearch search(state, demand, request, now);
  while (search.look()) {
  }
  return search.found();
}

} // namespace almanac
