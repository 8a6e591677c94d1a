#include "core/reservation/hook_call.hpp"

#include <utility>

namespace almanac {

std::vector<Attribute> hook_environment(const HookCall& call, std::int64_t attempt) {
  std::vector<Attribute> variables{{"PATH", "/usr/bin:/bin"},
                                   {"AR_ID", to_string(call.number)},
                                   {"AR_NAME", call.name},
                                   {"AR_OWNER", call.owner},
                                   {"AR_EVENT", std::string(name_of(call.event))},
                                   {"AR_CAUSE", call.cause},
                                   {"AR_START", std::to_string(call.window.start.seconds)},
                                   {"AR_END", std::to_string(call.window.end.seconds)},
                                   {"AR_STATE", call.state},
                                   {"AR_SLOTS", std::to_string(call.slots)},
                                   {"AR_ATTEMPT", std::to_string(attempt)}};
  if (call.series) variables.push_back({"AR_SERIES", to_string(call.series)});
  return variables;
}

// A word is a variable or it is not: what stands for it stays one word.
HookCommand hook_command(const HookCall& call) {
  const std::pair<std::string_view, std::string> variables[]{
      {"$ar_id", to_string(call.number)},
      {"$ar_name", call.name},
      {"$owner", call.owner},
      {"$event", std::string(name_of(call.event))}};
  auto command = parse_hook_command(call.command);
  if (!command) return {};
  for (auto& word : command->words)
    for (const auto& [name, value] : variables)
      if (word == name) word = value;
  return std::move(*command);
}

} // namespace almanac
