#include "core/planning/facts/node_replacement.hpp"

#include "core/matching/reservation_places.hpp"

#include <algorithm>
#include <utility>

namespace almanac::rules {

namespace {

// What it keeps comes first, whatever is wrong with it; then what is healthy.
Instances candidates_of(const State& state, const Reservation& reservation, const Demand& demand,
                        Window window, const std::vector<Grant>& kept,
                        const std::set<std::string>& lost_hosts, Obstacles& obstacles) {
  Instances candidates;
  for (const auto& grant : kept)
    if (const auto* instance = state.configuration().instance(grant.instance))
      candidates.push_back(instance);
  const auto kept_hosts = granted_hosts(kept);
  const auto was_left = [&](const std::string& host) {
    const auto& left = reservation.left_behind;
    return std::any_of(left.begin(), left.end(),
                       [&](const LeftBehind& one) { return one.instance.host == host; });
  };
  for (const auto* one : reservation_candidates(state, demand, window, obstacles).healthy) {
    const auto& host = one->name.host;
    if (!kept_hosts.contains(host) && !lost_hosts.contains(host) && !was_left(host))
      candidates.push_back(one);
  }
  return candidates;
}

} // namespace

Replacement find_node_replacement(State& state, const Reservation& reservation,
                                  const Demand& demand, Window window,
                                  const std::vector<Grant>& lost) {
  Replacement result;
  const auto lost_hosts = granted_hosts(lost);
  std::vector<Grant> kept, replaced;
  for (const auto& grant : reservation.shape.grants)
    (lost_hosts.contains(grant.instance.host) ? replaced : kept).push_back(grant);
  Unbooked looking(state, reservation.key);
  looking.free_lent_room();
  const auto supply = Supply::of_reservations(state, demand.preempts);
  Assignment sure;
  if (!kept.empty()) sure = assignment_of(state, supply, demand, "", kept);
  book_left_behind(state, reservation, sure, looking);
  Obstacles obstacles;
  const auto candidates =
      candidates_of(state, reservation, demand, window, kept, lost_hosts, obstacles);
  auto place = assign(state, supply, demand, window, candidates, obstacles);
  if (!place) {
    result.obstacles = obstacles.list();
    return result;
  }
  const auto kept_hosts = granted_hosts(kept);
  for (const auto& grant : place->grants)
    if (!kept_hosts.contains(grant.instance.host)) result.found.push_back(grant);
  result.whole = std::move(*place), result.replaced = std::move(replaced);
  return result;
}

} // namespace almanac::rules
