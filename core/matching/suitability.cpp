#include "core/matching/suitability.hpp"

#include "core/matching/instance_obstacles.hpp"
#include "core/policy/standing.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac {

namespace {

std::optional<std::string> not_reserved(const Reservation& reservation,
                                        const QueueInstance& instance) {
  if (reservation.shape.slots_on(instance.name) > 0) return std::nullopt;
  return "cannot run in queue \"" + instance.name.text() +
         "\" because it was not reserved by advance reservation " + to_string(reservation.number);
}

// The job has to begin and end within the reservation's window (J4 and J5).
std::optional<std::string> window_obstacle(const JobRequest& request, Window window,
                                           Duration offset, Instant now) {
  const auto limit = sure_length(request);
  const auto start = std::max({now, window.start, request.execution_time});
  const auto reserved =
      print_duration(window.length()) + " reserved less " + std::to_string(offset.seconds) + " s";
  if (!limit.is_endless() && limit > window.length() - offset)
    return "is longer than duration of the advance reservation id " +
           to_string(request.reservation) + " (" + print_duration(limit) + " asked, " + reserved +
           ")";
  const auto exceeds =
      "exceeds the end time of the advance reservation id " + to_string(request.reservation);
  if (limit.is_endless() && start >= window.end - offset)
    return exceeds + " (it begins " + print_duration(start - window.start) +
           " after the reservation does, " + reserved + ")";
  if (!limit.is_endless() && start + limit > window.end - offset)
    return exceeds + " (" + print_duration(limit) + " asked, " + reserved + ")";
  return std::nullopt;
}

} // namespace

std::optional<std::string> reservation_obstacle(const Snapshot& state, const Caller& owner,
                                                const JobRequest& request, Instant now) {
  const auto id = to_string(request.reservation);
  const auto* reservation = state.reservation_by_number(request.reservation);
  if (!reservation || reservation->phase == ReservationPhase::proposed ||
      reservation->phase == ReservationPhase::expired)
    return "the advance reservation id " + id + " is invalid";
  if (reservation->is_over()) return "the advance reservation " + id + " is no longer available";
  if (!admits(state.configuration(), *reservation, owner))
    return "user \"" + owner.user + "\" is not admitted by advance reservation " + id +
           ": error: no suitable queues";
  const auto& window = reservation->shape.window;
  if (auto why =
          window_obstacle(request, window, state.configuration().scheduler().duration_offset, now))
    return "the job duration " + *why;
  if (request.deadline.seconds > 0 && request.deadline < window.start)
    return "the deadline lies " + print_duration(window.start - request.deadline) +
           " before the start of the advance reservation id " + id;
  return std::nullopt;
}

SuitabilitySearch::SuitabilitySearch(const Snapshot& state, Demand demand,
                                     const JobRequest& request, Instant now)
    : state_(state), demand_(std::move(demand)) {
  const auto* reservation = state.reservation_by_number(request.reservation);
  for (const auto& instance : state.configuration().instances()) {
    if (instance.orphaned && !reservation) continue;
    auto obstacle = static_obstacle(state, instance, demand_);
    if (!obstacle && reservation) obstacle = not_reserved(*reservation, instance);
    if (obstacle) found_.obstacles.add(*obstacle);
    else candidates_.push_back(&instance);
  }
  const auto limit = sure_length(request);
  const auto gross =
      limit.is_endless() ? limit : limit + state.configuration().scheduler().duration_offset;
  windows_.push_back({now, now + gross});
  if (!reservation && !limit.is_endless())
    for (const auto& other : state.reservations())
      if (const auto end = other.shape.window.end; other.is_granted() && end > now)
        windows_.push_back({end, end + gross});
  supply_ = reservation ? Supply::of_empty_reservation(state, *reservation)
                        : Supply::of_empty_cluster(state);
}

bool SuitabilitySearch::look() {
  found_.assignment =
      assign(state_, supply_, demand_, windows_[looked_], candidates_, found_.obstacles);
  return !found_.assignment && ++looked_ < windows_.size();
}

Suitability suitable(const Snapshot& state, const Demand& demand, const JobRequest& request,
                     Instant now) {
  SuitabilitySearch search(state, demand, request, now);
  while (search.look()) {
  }
  return search.found();
}

} // namespace almanac
