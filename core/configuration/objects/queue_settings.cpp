#include "core/configuration/objects/queue_settings.hpp"

#include "core/text/words.hpp"

namespace almanac {

QueueSettings::QueueSettings(const ClusterQueue& queue) : common_(InstanceSettings()) {
  for (const auto& [name, value] : queue.values) {
    if (common_)
      if (auto applied = read_setting(*common_, name, value.fallback); !applied)
        common_ = applied.error();
    if (value.overrides.empty()) continue;
    auto& entry = overridden_.emplace_back(Overridden{name, &value, {}, {}});
    for (const auto& one : value.overrides) {
      if (one.name.starts_with('@')) entry.groups.push_back(&one);
      else entry.hosts[lower(one.name)] = &one.value;
    }
  }
}

Result<InstanceSettings> QueueSettings::on(std::string_view host,
                                           const ClusterQueue::InGroup& in_group) const {
  auto settings = common_;
  if (!settings) return settings;
  for (const auto& [name, value, hosts, groups] : overridden_) {
    const auto own = hosts.find(lower(host));
    const std::string* text = own == hosts.end() ? nullptr : own->second;
    bool differ = false;
    for (const auto* group : groups) {
      if (own != hosts.end() || !in_group(group->name)) continue;
      differ = differ || (text && *text != group->value);
      text = &group->value;
    }
    settings->ambiguous = settings->ambiguous || differ;
    if (!text || differ) continue;
    if (auto applied = read_setting(*settings, name, *text); !applied) return applied.error();
  }
  return settings;
}

} // namespace almanac
