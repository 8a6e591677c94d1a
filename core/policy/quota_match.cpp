#include "core/policy/quota_match.hpp"

#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// What is excluded is looked at first and wins. A list of exclusions alone lets in all others.
template <class Means> bool lets_in(const QuotaScope& scope, Means means) {
  if (!scope.given) return true;
  if (std::any_of(scope.excluded.begin(), scope.excluded.end(), means)) return false;
  return scope.included.empty() || std::any_of(scope.included.begin(), scope.included.end(), means);
}

// Nobody's name: none of the words means it, not even "*".
auto name_is(const std::string& name) {
  return [&name](const std::string& word) { return !name.empty() && matches_pattern(word, name); };
}

auto user_is(const Configuration& configuration, const QuotaParty& party) {
  return [&](const std::string& word) {
    if (!word.starts_with('@')) return matches_pattern(word, party.user);
    const auto wanted = std::string_view(word).substr(1);
    const auto& sets = configuration.usersets();
    return std::any_of(sets.begin(), sets.end(), [&](const auto& named) {
      return matches_pattern(wanted, named.first) && named.second.contains(party.user, party.group);
    });
  };
}

} // namespace

bool concerns(const Configuration& configuration, const QuotaRule& rule, const QuotaParty& party) {
  return lets_in(rule.scope(QuotaFilter::users), user_is(configuration, party)) &&
         lets_in(rule.scope(QuotaFilter::projects), name_is(party.project)) &&
         lets_in(rule.scope(QuotaFilter::pes), name_is(party.pe));
}

bool concerns_queue(const QuotaRule& rule, const std::string& queue) {
  return lets_in(rule.scope(QuotaFilter::queues), name_is(queue));
}

bool concerns_host(const Configuration& configuration, const QuotaRule& rule,
                   const std::string& host) {
  QuotaHosts words(configuration);
  return lets_in(rule.scope(QuotaFilter::hosts),
                 [&](const std::string& word) { return words.mean(word, host); });
}

const std::set<std::string>& QuotaHosts::hosts_of(const std::string& word) {
  const auto [it, is_new] = groups_.try_emplace(word);
  if (is_new)
    for (const auto& group : configuration_->host_groups())
      if (matches_pattern(word, group)) it->second.merge(configuration_->hosts_of_group(group));
  return it->second;
}

bool QuotaHosts::mean(const std::string& word, const std::string& host) {
  return word.starts_with('@') ? hosts_of(word).contains(host)
                               : matches_pattern(lower(word), lower(host));
}

namespace {

bool same_places(const QuotaRule& a, const QuotaRule& b) {
  return a.scope(QuotaFilter::queues) == b.scope(QuotaFilter::queues) &&
         a.scope(QuotaFilter::hosts) == b.scope(QuotaFilter::hosts);
}

} // namespace

QuotaPlaces::QuotaPlaces(const Configuration& configuration, const QuotaSet& set)
    : first_(configuration.instances().data()), set_(&set), words_(configuration) {
  for (const auto& rule : set.rules) {
    if (!rule.scope(QuotaFilter::queues).given && !rule.scope(QuotaFilter::hosts).given) {
      alike_.push_back(none);
      continue;
    }
    const auto like = std::find_if(set.rules.begin(), set.rules.end(), [&](const QuotaRule& other) {
      return same_places(rule, other);
    });
    const auto before = static_cast<std::size_t>(like - set.rules.begin());
    const bool is_first = before == alike_.size();
    alike_.push_back(is_first ? known_.size() : alike_[before]);
    if (is_first) known_.emplace_back(configuration.instances().size(), unknown);
  }
}

bool QuotaPlaces::find(std::size_t rule, const QueueInstance& instance) const {
  const auto& asked = set_->rules[rule];
  const bool is_at = concerns_queue(asked, instance.name.queue) &&
                     lets_in(asked.scope(QuotaFilter::hosts), [&](const std::string& word) {
                       return words_.mean(word, instance.name.host);
                     });
  known_[alike_[rule]][static_cast<std::size_t>(&instance - first_)] = is_at ? yes : no;
  return is_at;
}

} // namespace almanac
