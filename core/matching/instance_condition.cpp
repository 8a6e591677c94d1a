#include "core/matching/instance_condition.hpp"

#include "core/matching/host_load.hpp"
#include "core/text/names.hpp"

namespace almanac {

std::optional<AnswerCode> reserved_instance_trouble(const Snapshot& state,
                                                    const InstanceName& name) {
  const auto* instance = state.configuration().instance(name);
  const auto& condition = state.instance(name);
  if (state.host(name.host).phase == HostPhase::unknown) return AnswerCode::is_unknown;
  if (condition.error) return AnswerCode::is_error;
  if (condition.disabled) return AnswerCode::is_disabled;
  if (condition.suspended) return AnswerCode::is_suspended;
  if (instance && instance->settings.ambiguous) return AnswerCode::is_ambiguous;
  return std::nullopt;
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
