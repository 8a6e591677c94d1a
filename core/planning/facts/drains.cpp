#include "core/planning/facts/drains.hpp"

#include "core/planning/reservation_health.hpp"

#include <algorithm>

namespace almanac::rules {

namespace {

bool ends_by_itself(const InstanceState& condition) {
  return condition.disabled && condition.drain.until.seconds != 0;
}

} // namespace

std::set<std::string> end_drains(State& state, Instant now) {
  std::set<std::string> hosts;
  for (const auto& instance : state.configuration().instances()) {
    const auto& condition = state.instance(instance.name);
    if (!ends_by_itself(condition) || condition.drain.until > now) continue;
    state.edit<InstanceState>(instance.name, [](InstanceState& ended) { ended.enable(); });
    hosts.insert(instance.name.host);
  }
  for (const auto& host : hosts) refresh_reservation_health(state, host);
  return hosts;
}

Instant next_drain_end(const State& state) {
  auto next = Instant::never();
  for (const auto& instance : state.configuration().instances())
    if (const auto& condition = state.instance(instance.name); ends_by_itself(condition))
      next = std::min(next, condition.drain.until);
  return next;
}

} // namespace almanac::rules
