#include "core/text/host_aliases.hpp"

#include "core/text/words.hpp"

namespace almanac {

HostAliases HostAliases::parse(std::string_view text) {
  HostAliases aliases;
  for (const auto& line : split(std::string(text), '\n')) {
    const auto names = words(line, " \t\r,;");
    if (names.empty() || names.front().starts_with('#') || !valid_host_name(names.front()))
      continue;
    for (const auto& name : names) aliases.official_.emplace(lower(name), names.front());
  }
  return aliases;
}

std::string HostAliases::official(std::string_view name) const {
  const auto found = official_.find(lower(name));
  return found == official_.end() ? std::string(name) : found->second;
}

} // namespace almanac
