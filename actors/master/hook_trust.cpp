#include "actors/master/hook_trust.hpp"

#include <cstdint>
#include <variant>

namespace almanac {

namespace {

std::string distrusted_hook(const ConfigurationObject& object, const ReservationHooks& in_force,
                            const HookTrust& distrust) {
  if (object.kind != ObjectKind::global_configuration) return "";
  for (auto i = 0; i <= static_cast<int>(last_of<HookEvent>); ++i) {
    const auto event = static_cast<HookEvent>(i);
    const std::string attribute(attribute_of(event));
    const auto* text = object.find(attribute);
    if (!text || *text == in_force.of(event)) continue;
    const auto command = parse_hook_command(*text);
    if (!command || command->words.empty()) continue;
    if (auto why = distrust(*command); !why.empty()) return attribute + ": " + why;
  }
  return "";
}

} // namespace

std::string distrusted_hook(const CommandBody& command, const ReservationHooks& in_force,
                            const HookTrust& distrust) {
  if (!distrust) return "";
  if (const auto* one = std::get_if<Configure>(&command))
    return distrusted_hook(one->change.object, in_force, distrust);
  if (const auto* all = std::get_if<ConfigureAll>(&command))
    for (const auto& change : all->changes)
      if (auto why = distrusted_hook(change.object, in_force, distrust); !why.empty()) return why;
  return "";
}

} // namespace almanac
