#include "core/planning/facts/idle_hosts.hpp"

namespace almanac::rules {

void note_idle_hosts(State& state, Instant now) {
  for (const auto& name : state.take_left_hosts())
    if (state.records().find<HostState>(name) && state.tasks_on(name).empty())
      state.edit<HostState>(name, [&](HostState& host) { host.idle_since = now; });
}

} // namespace almanac::rules
