#include "core/matching/instance_order.hpp"

#include <algorithm>

namespace almanac {

void InstanceOrder::rebuild(const Configuration& configuration) {
  const auto& instances = configuration.instances();
  taken_.assign(instances.size(), 0);
  total_.clear(), open_.clear(), preferences_.clear();
  on_host_.assign(configuration.instance_hosts(), {});
  free_slots_ = 0;
  for (std::size_t position = 0; position < instances.size(); ++position) {
    total_.push_back(instances[position].settings.slots);
    free_slots_ += total_.back();
    preferences_.push_back({0, 0, position});
    on_host_[instances[position].host_index].push_back(position);
    if (is_open(position)) open_.insert(preferences_.back());
  }
}

void InstanceOrder::place(std::size_t position, std::int64_t first, std::int64_t second) {
  const Preference next{first, second, position};
  if (next == preferences_[position]) return;
  const bool open = open_.erase(preferences_[position]) > 0;
  preferences_[position] = next;
  if (open) open_.insert(next);
}

void InstanceOrder::take(const Configuration& configuration, const std::vector<Grant>& grants,
                         std::int64_t sign) {
  const auto left = [&](std::size_t position) {
    return std::max<std::int64_t>(0, total_[position] - taken_[position]);
  };
  for (const auto& grant : grants) {
    const auto* instance = configuration.instance(grant.instance);
    if (!instance) continue;
    const auto position = position_of(configuration, *instance);
    free_slots_ -= left(position);
    taken_[position] += sign * grant.slots;
    free_slots_ += left(position);
    if (is_open(position)) open_.insert(preferences_[position]);
    else open_.erase(preferences_[position]);
  }
}

} // namespace almanac
