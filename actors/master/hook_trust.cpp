#include "actors/master/hook_trust.hpp"

#include "core/configuration/objects/jsv_url.hpp"

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

// What is found in the first object of a change of the configuration in which there is something.
template <class Find> std::string first_found(const CommandBody& command, const Find& find) {
  if (const auto* one = std::get_if<Configure>(&command)) return find(one->change.object);
  if (const auto* all = std::get_if<ConfigureAll>(&command))
    for (const auto& change : all->changes)
      if (auto found = find(change.object); !found.empty()) return found;
  return "";
}

} // namespace

std::string distrusted_hook(const CommandBody& command, const ReservationHooks& in_force,
                            const HookTrust& distrust) {
  if (!distrust) return "";
  return first_found(command, [&](const ConfigurationObject& object) {
    return distrusted_hook(object, in_force, distrust);
  });
}

std::string distrusted_jsv(const CommandBody& command, const std::string& in_force,
                           const JsvTrust& distrust) {
  return first_found(command, [&](const ConfigurationObject& object) -> std::string {
    const auto* url =
        object.kind == ObjectKind::global_configuration ? object.find("jsv_url") : nullptr;
    if (!url || *url == in_force) return "";
    const auto meant = parse_jsv_url(*url);
    if (!meant || meant->words.empty()) return "";
    const auto why = distrust ? distrust(*url) : "no JSV can be started here";
    return why.empty() ? "" : "jsv_url: " + why;
  });
}

} // namespace almanac
