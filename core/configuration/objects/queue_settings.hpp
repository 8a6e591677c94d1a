// What a cluster queue comes to on its hosts.
#pragma once

#include "core/configuration/objects/cluster_queue.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// The settings of a queue on many hosts: what they have in common is worked out once.
class QueueSettings {
public:
  /// The queue outlives this.
  explicit QueueSettings(const ClusterQueue& queue);
  Result<InstanceSettings> on(std::string_view host, const ClusterQueue::InGroup& in_group) const;

private:
  struct Overridden {
    std::string name;
    const OverridableValue* value = nullptr;
    std::map<std::string, const std::string*> hosts; ///< by their name in small letters
    std::vector<const Attribute*> groups;
  };
  Result<InstanceSettings> common_;
  std::vector<Overridden> overridden_;
};

} // namespace almanac
