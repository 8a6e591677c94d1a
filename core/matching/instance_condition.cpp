#include "core/matching/instance_condition.hpp"

#include "core/matching/host_load.hpp"
#include "core/text/names.hpp"

namespace almanac {

std::vector<AnswerCode> reserved_instance_troubles(const Snapshot& state,
                                                   const InstanceName& name) {
  const auto* instance = state.configuration().instance(name);
  const auto& condition = state.instance(name);
  std::vector<AnswerCode> troubles;
  const auto look = [&](bool is_so, AnswerCode code) {
    if (is_so) troubles.push_back(code);
  };
  look(state.host(name.host).phase == HostPhase::unknown, AnswerCode::is_unknown);
  look(condition.error, AnswerCode::is_error);
  look(condition.disabled, AnswerCode::is_disabled);
  look(condition.suspended, AnswerCode::is_suspended);
  look(instance && instance->settings.ambiguous, AnswerCode::is_ambiguous);
  return troubles;
}

std::string instance_letters(const Configuration& configuration, const QueueInstance& instance,
                             const HostState& host, const InstanceState& state) {
  std::string letters;
  if (host.phase == HostPhase::up && overload(configuration, instance, host)) letters += 'a';
  if (state.throttles) letters += 'A';
  if (state.opening == Opening::suspended) letters += 'C';
  if (state.opening == Opening::off) letters += 'D';
  if (state.disabled) letters += 'd';
  if (host.phase == HostPhase::unknown) letters += 'u';
  if (state.error) letters += 'E';
  if (state.suspended) letters += 's';
  if (instance.settings.ambiguous) letters += 'c';
  if (instance.orphaned) letters += 'o';
  return letters;
}

} // namespace almanac
