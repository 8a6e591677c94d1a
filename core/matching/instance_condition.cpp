#include "core/matching/instance_condition.hpp"

#include "core/matching/host_load.hpp"
#include "core/text/names.hpp"

namespace almanac {

namespace {

std::vector<AnswerCode> troubles_of(const HostState& host, const InstanceState& condition,
                                    const QueueInstance* instance) {
  std::vector<AnswerCode> troubles;
  const auto add = [&](bool is_so, AnswerCode code) {
    if (is_so) troubles.push_back(code);
  };
  add(host.phase == HostPhase::unknown, AnswerCode::is_unknown);
  add(condition.error, AnswerCode::is_error);
  add(condition.disabled, AnswerCode::is_disabled);
  add(condition.suspended, AnswerCode::is_suspended);
  add(instance && instance->settings.ambiguous, AnswerCode::is_ambiguous);
  return troubles;
}

} // namespace

std::vector<AnswerCode> reserved_instance_troubles(const Snapshot& state,
                                                   const InstanceName& name) {
  return troubles_of(state.host(name.host), state.instance(name),
                     state.configuration().instance(name));
}

bool is_healthy(const Snapshot& state, const QueueInstance& instance) {
  return troubles_of(state.host_of(instance), state.condition_of(instance), &instance).empty();
}

std::string instance_letters(const Configuration& configuration, const QueueInstance& instance,
                             const HostState& host, const InstanceState& state) {
  std::string letters;
  if (host.phase == HostPhase::up && overload(configuration, instance, host)) letters += 'a';
  if (state.throttles) letters += 'A';
  if (state.opening == Opening::suspended) letters += 'C';
  if (state.opening == Opening::off || state.maintenance) letters += 'D';
  if (state.disabled) letters += 'd';
  if (host.phase == HostPhase::unknown) letters += 'u';
  if (state.error) letters += 'E';
  if (state.subordinated) letters += 'S';
  if (state.suspended) letters += 's';
  if (instance.settings.ambiguous) letters += 'c';
  if (instance.orphaned) letters += 'o';
  return letters;
}

} // namespace almanac
