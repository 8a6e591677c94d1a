#include "tools/commands/host_groups.hpp"

#include "core/configuration/objects/host_group.hpp"
#include "core/text/words.hpp"
#include "tools/commands/fetched_objects.hpp"

#include <deque>
#include <set>

namespace almanac {

int HostGroups::fetch(Context& context) {
  std::vector<ConfigurationObject> objects;
  const int asked = fetch_objects(context, ObjectKind::host_group, objects);
  for (const auto& object : objects)
    if (object.find("hostlist")) members_[object.name] = parse_host_group(object);
  for (const auto& entry : members_)
    for (const auto& host : hosts_of({entry.first})) hosts_[entry.first].insert(lower(host));
  return asked;
}

std::vector<std::string> HostGroups::names() const {
  std::vector<std::string> names;
  for (const auto& entry : members_) names.push_back(entry.first);
  return names;
}

const std::vector<std::string>& HostGroups::members_of(const std::string& group) const {
  static const std::vector<std::string> nobody_there;
  const auto found = members_.find(group);
  return found == members_.end() ? nobody_there : found->second;
}

std::vector<std::string>
HostGroups::hosts_of(const std::vector<std::string>& hosts_and_groups) const {
  std::vector<std::string> hosts;
  std::set<std::string> seen;
  std::deque<std::string> open(hosts_and_groups.begin(), hosts_and_groups.end());
  while (!open.empty()) {
    const auto name = std::move(open.front());
    open.pop_front();
    const bool is_group = name.starts_with('@'); // whose names differ in their letter case
    if (!seen.insert(is_group ? name : lower(name)).second) continue;
    if (!is_group) hosts.push_back(name);
    else if (const auto& inner = members_of(name); !inner.empty())
      open.insert(open.begin(), inner.begin(), inner.end());
  }
  return hosts;
}

bool HostGroups::is_in(const std::string& host, const std::string& group) const {
  const auto found = hosts_.find(group);
  return found != hosts_.end() && found->second.contains(lower(host));
}

} // namespace almanac
