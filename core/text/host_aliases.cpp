#include "core/text/host_aliases.hpp"

#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// No address, no pattern, and none of the names that mean no single host.
bool has_a_domain_or_none(std::string_view name) {
  return valid_host_name(name) && name != "global" && name != "localhost" && name != "template" &&
         name.find_first_not_of("0123456789.") != std::string_view::npos;
}

} // namespace

HostAliases HostAliases::parse(std::string_view text, std::string_view bootstrap) {
  HostAliases aliases;
  for (const auto& line : split(std::string(text), '\n')) {
    const auto names = words(line, " \t\r,;");
    if (names.empty() || names.front().starts_with('#') || !valid_host_name(names.front()))
      continue;
    for (const auto& name : names) aliases.official_.emplace(lower(name), names.front());
  }
  for (const auto& line : split(std::string(bootstrap), '\n')) {
    const auto found = words(line, " \t\r");
    if (found.size() != 2) continue;
    const auto& value = found.back();
    if (found.front() == "ignore_fqdn")
      aliases.ignores_domains_ = equal_ignoring_case(value, "true");
    else if (found.front() == "default_domain" && !equal_ignoring_case(value, "none") &&
             valid_host_name(value))
      aliases.domain_ = value;
  }
  return aliases;
}

std::string HostAliases::listed(std::string_view name) const {
  const auto found = official_.find(lower(name));
  return found == official_.end() ? std::string(name) : found->second;
}

std::string HostAliases::with_usual_domain(std::string_view name) const {
  if (!has_a_domain_or_none(name)) return std::string(name);
  const auto dot = name.find('.');
  if (ignores_domains_) return std::string(name.substr(0, dot));
  if (domain_.empty() || dot != std::string_view::npos) return std::string(name);
  return std::string(name) + "." + domain_;
}

std::string HostAliases::official(std::string_view name) const {
  if (const auto found = official_.find(lower(name)); found != official_.end())
    return found->second;
  return listed(with_usual_domain(name));
}

} // namespace almanac
