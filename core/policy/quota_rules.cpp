#include "core/policy/quota_rules.hpp"

namespace almanac {

namespace {

QuotaRules::Expansion expansion_of(const QuotaRule& rule) {
  const auto bit = [&](QuotaFilter filter, int place) {
    return static_cast<std::uint8_t>(rule.scope(filter).expanded ? 1 << place : 0);
  };
  QuotaRules::Expansion expansion;
  expansion.member |= bit(QuotaFilter::users, 0);
  expansion.member |= bit(QuotaFilter::projects, 1);
  expansion.member |= bit(QuotaFilter::pes, 2);
  expansion.place |= bit(QuotaFilter::queues, 0);
  expansion.place |= bit(QuotaFilter::hosts, 1);
  return expansion;
}

std::vector<QuotaRules::Expansion> expansions_of(const QuotaSet& set) {
  std::vector<QuotaRules::Expansion> expansions;
  for (const auto& rule : set.rules) expansions.push_back(expansion_of(rule));
  return expansions;
}

} // namespace

QuotaRules::QuotaRules(const Configuration& configuration) : configuration_(configuration) {
  for (const auto& set : configuration.quota_sets())
    if (set.enabled && !set.rules.empty())
      sets_.push_back({&set, QuotaPlaces(configuration, set), expansions_of(set)});
}

QuotaRules::Candidates QuotaRules::candidates(std::size_t set, const QuotaParty& party) const {
  Candidates found;
  const auto& [quotas, places, expansions] = sets_[set];
  for (std::size_t rule = 0; rule < quotas->rules.size(); ++rule) {
    if (!concerns(configuration_, quotas->rules[rule], party)) continue;
    found.push_back(static_cast<std::uint16_t>(rule));
    if (places.everywhere(rule)) break;
  }
  return found;
}

std::vector<QuotaRules::Candidates> QuotaRules::candidates(const QuotaParty& party) const {
  std::vector<Candidates> found;
  for (std::size_t set = 0; set < sets_.size(); ++set) found.push_back(candidates(set, party));
  return found;
}

} // namespace almanac
