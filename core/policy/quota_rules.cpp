#include "core/policy/quota_rules.hpp"

namespace almanac {

QuotaRules::QuotaRules(const Configuration& configuration) : configuration_(configuration) {
  for (const auto& set : configuration.quota_sets())
    if (set.enabled && !set.rules.empty()) sets_.push_back({&set, QuotaPlaces(configuration, set)});
}

std::vector<QuotaRules::Candidates> QuotaRules::candidates(const QuotaParty& party) const {
  std::vector<Candidates> found(sets_.size());
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    const auto& [quotas, places] = sets_[set];
    for (std::size_t rule = 0; rule < quotas->rules.size(); ++rule) {
      if (!concerns(configuration_, quotas->rules[rule], party)) continue;
      found[set].push_back(static_cast<std::uint16_t>(rule));
      if (places.everywhere(rule)) break;
    }
  }
  return found;
}

} // namespace almanac
