// What is known of hosts and queue instances, as commands gather it from the frames of an answer.
#pragma once

#include "schema/door/replies.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace almanac {

struct ClusterList {
  std::vector<door::InstanceView> instances; ///< by seq_no, then by name
  std::map<std::string, door::HostView> hosts;
  std::string notice; ///< of the cell; "": none

  void add(door::Cluster& frame);
  /// The host of an instance, if it can be reached.
  const door::HostView* known_host(const door::InstanceView& instance) const;
};

/// Which instances lie on which host; as long as the list is there and stays as it is.
class InstancesByHost {
public:
  explicit InstancesByHost(const ClusterList& cluster);
  /// In the order of the list.
  const std::vector<const door::InstanceView*>& on(const std::string& host) const;

private:
  std::unordered_map<std::string, std::vector<const door::InstanceView*>> instances_;
};

/// A value that the instance offers, by its name or shortcut; nullptr where there is none.
const door::ResourceView* find_resource(const door::InstanceView& instance,
                                        const std::string& name);
/// Those of the resources that are named, or all where none is.
std::vector<door::ResourceView> named_resources(const std::vector<door::ResourceView>& resources,
                                                const std::vector<std::string>& names);

} // namespace almanac
