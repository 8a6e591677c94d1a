#include "core/planning/commands/named_instances.hpp"

#include "core/text/resource_list.hpp"

#include <optional>
#include <set>

namespace almanac {

std::vector<const QueueInstance*> named_instances(const Configuration& configuration,
                                                  const std::string& wanted) {
  std::vector<const QueueInstance*> found;
  std::optional<std::set<std::string>> members; // of the groups that it names, looked up once
  for (const auto& instance : configuration.instances()) {
    const auto& name = instance.name;
    const auto in_group = [&](const std::string& group) {
      if (!members) members = configuration.hosts_of_group(group);
      return members->contains(name.host);
    };
    if (queue_request_matches(wanted, name.queue, name.host, in_group)) found.push_back(&instance);
  }
  return found;
}

} // namespace almanac
