#include "core/planning/initial_states.hpp"

namespace almanac::rules {

std::vector<InstanceName> beginning_instances(const State& state, const Configuration& next) {
  std::vector<InstanceName> names;
  for (const auto& instance : next.instances())
    if (instance.settings.initial_state != InitialState::usual &&
        !state.configuration().instance(instance.name))
      names.push_back(instance.name);
  return names;
}

void begin_instances(State& state, const std::vector<InstanceName>& names) {
  for (const auto& name : names) {
    const auto* instance = state.configuration().instance(name);
    if (!instance || instance->orphaned) continue;
    const auto wanted = instance->settings.initial_state;
    const bool disabled = wanted == InitialState::disabled;
    if (wanted != InitialState::usual && state.instance(name).disabled != disabled)
      state.edit<InstanceState>(name, [&](InstanceState& known) {
        known.enable();
        known.disabled = disabled;
      });
  }
}

void begin_instances_on(State& state, const std::string& host) {
  std::vector<InstanceName> names;
  for (const auto& instance : state.configuration().instances())
    if (instance.name.host == host && instance.settings.initial_state != InitialState::usual)
      names.push_back(instance.name);
  begin_instances(state, names);
}

} // namespace almanac::rules
