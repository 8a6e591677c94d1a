#include "core/matching/instance_order.hpp"

#include <algorithm>

namespace almanac {

void Sites::rebuild(const Configuration& configuration) {
  const auto& instances = configuration.instances();
  taken_.assign(instances.size(), 0);
  total_.clear(), open_.clear(), places_.clear();
  on_host_.assign(configuration.instance_hosts(), {});
  free_slots_ = 0;
  for (std::size_t site = 0; site < instances.size(); ++site) {
    total_.push_back(instances[site].settings.slots);
    free_slots_ += total_.back();
    places_.push_back({0, 0, site});
    on_host_[instances[site].host_index].push_back(site);
    if (is_open(site)) open_.insert(places_.back());
  }
}

void Sites::place(std::size_t site, std::int64_t first, std::int64_t second) {
  const Place next{first, second, site};
  if (next == places_[site]) return;
  const bool open = open_.erase(places_[site]) > 0;
  places_[site] = next;
  if (open) open_.insert(next);
}

void Sites::take(const Configuration& configuration, const std::vector<Grant>& grants,
                 std::int64_t sign) {
  const auto left = [&](std::size_t site) {
    return std::max<std::int64_t>(0, total_[site] - taken_[site]);
  };
  for (const auto& grant : grants) {
    const auto* instance = configuration.instance(grant.instance);
    if (!instance) continue;
    const auto site = site_of(configuration, *instance);
    free_slots_ -= left(site);
    taken_[site] += sign * grant.slots;
    free_slots_ += left(site);
    if (is_open(site)) open_.insert(places_[site]);
    else open_.erase(places_[site]);
  }
}

} // namespace almanac
