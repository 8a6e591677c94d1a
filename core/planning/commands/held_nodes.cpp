#include "core/planning/commands/held_nodes.hpp"

#include "core/planning/reservation_transitions.hpp"

#include <algorithm>

namespace almanac::rules {

std::set<std::string> erased_hosts(const std::vector<ConfigurationChange>& changes) {
  std::set<std::string> hosts;
  for (const auto& change : changes)
    if (change.verb == ChangeVerb::erase && change.object.kind == ObjectKind::exec_host)
      hosts.insert(change.object.name);
  return hosts;
}

bool is_held_on(const Reservation& reservation, const std::set<std::string>& hosts) {
  if (hosts.empty() || reservation.proposed.empty()) return false;
  const auto& proposal = reservation.proposed.front();
  if (proposal.verb != ReservationVerb::change) return false;
  const auto all = proposal.shape.with_spares();
  return std::any_of(all.begin(), all.end(),
                     [&](const Grant& grant) { return hosts.contains(grant.instance.host); });
}

std::vector<const Shape*> shapes_keeping(const Reservation& reservation,
                                         const std::set<std::string>& hosts) {
  auto shapes = shapes_of(reservation);
  if (is_held_on(reservation, hosts)) std::erase(shapes, &reservation.proposed.front().shape);
  return shapes;
}

std::vector<ConfigurationChange> with_their_orphans(const Configuration& configuration,
                                                    std::vector<ConfigurationChange> changes) {
  const auto hosts = erased_hosts(changes);
  if (hosts.empty() || !configuration.has_orphans()) return changes;
  for (const auto& instance : configuration.instances())
    if (instance.orphaned && hosts.contains(instance.name.host))
      changes.push_back({ChangeVerb::erase, {ObjectKind::orphan, instance.name.text(), {}}, {}});
  return changes;
}

void abort_held_on(State& state, const std::set<std::string>& hosts, Instant now) {
  if (hosts.empty()) return;
  std::vector<ReservationKey> keys;
  for (const auto& reservation : state.reservations())
    if (is_held_on(reservation, hosts)) keys.push_back(reservation.key);
  for (const auto key : keys) drop_proposal(state, key, now);
}

} // namespace almanac::rules
