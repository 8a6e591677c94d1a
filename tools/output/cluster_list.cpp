#include "tools/output/cluster_list.hpp"

#include <algorithm>
#include <iterator>

namespace almanac {

namespace {

bool is_called(const door::ResourceView& resource, const std::string& name) {
  return resource.name == name || (!resource.shortcut.empty() && resource.shortcut == name);
}

} // namespace

void ClusterList::add(door::Cluster& frame) {
  std::move(frame.instances.begin(), frame.instances.end(), std::back_inserter(instances));
  for (auto& host : frame.hosts) hosts[host.state.name] = std::move(host);
  if (!frame.notice.empty()) notice = std::move(frame.notice);
}

const door::HostView* ClusterList::known_host(const door::InstanceView& instance) const {
  const auto found = hosts.find(instance.host);
  const bool is_known = found != hosts.end() && found->second.state.phase != HostPhase::unknown;
  return is_known ? &found->second : nullptr;
}

InstancesByHost::InstancesByHost(const ClusterList& cluster) {
  for (const auto& instance : cluster.instances) instances_[instance.host].push_back(&instance);
}

const std::vector<const door::InstanceView*>& InstancesByHost::on(const std::string& host) const {
  static const std::vector<const door::InstanceView*> none;
  const auto found = instances_.find(host);
  return found == instances_.end() ? none : found->second;
}

const door::ResourceView* find_resource(const door::InstanceView& instance,
                                        const std::string& name) {
  const auto found = std::find_if(instance.resources.begin(), instance.resources.end(),
                                  [&](auto& resource) { return is_called(resource, name); });
  return found == instance.resources.end() ? nullptr : &*found;
}

std::vector<door::ResourceView> named_resources(const std::vector<door::ResourceView>& resources,
                                                const std::vector<std::string>& names) {
  if (names.empty()) return resources;
  std::vector<door::ResourceView> named;
  for (const auto& resource : resources)
    if (std::any_of(names.begin(), names.end(),
                    [&](const std::string& name) { return is_called(resource, name); }))
      named.push_back(resource);
  return named;
}

} // namespace almanac
