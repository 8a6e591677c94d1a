#include "core/configuration/configuration.hpp"

#include "core/text/pattern.hpp"

#include <algorithm>

// Which hosts are in which groups.

namespace almanac {

std::set<std::string> Configuration::hosts_of_group(const std::string& group) const {
  std::set<std::string> hosts;
  if (is_pattern(group)) {
    for (const auto& [name, members] : groups_)
      if (matches_pattern(group, name)) hosts.merge(hosts_of_group(name));
    return hosts;
  }
  const auto it = groups_.find(group);
  if (it == groups_.end()) return hosts;
  for (const auto& member : it->second) {
    if (member.starts_with('@')) hosts.merge(hosts_of_group(member));
    else hosts.insert(member);
  }
  return hosts;
}

bool Configuration::host_in_group(const std::string& host, const std::string& group) const {
  const auto has_host = [&](const std::vector<std::string>& members) {
    return std::any_of(members.begin(), members.end(), [&](const std::string& member) {
      return member.starts_with('@') ? host_in_group(host, member) : member == host;
    });
  };
  if (is_pattern(group))
    return std::any_of(groups_.begin(), groups_.end(), [&](const auto& one) {
      return matches_pattern(group, one.first) && has_host(one.second);
    });
  const auto it = groups_.find(group);
  return it != groups_.end() && has_host(it->second);
}

std::vector<std::string> Configuration::host_groups() const {
  std::vector<std::string> names;
  for (const auto& [name, entries] : groups_) names.push_back(name);
  return names;
}

} // namespace almanac
