// The quota sets of a configuration: their order, and what a change may make of them.
#include "core/configuration/configuration.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <tuple>

namespace almanac {

// A host is spelt as in its object; one that is not known stays as it is (spec/quotas.md Q2.13).
std::string Configuration::spelling_of(const std::string& host) const {
  if (hosts_.contains(host)) return host;
  const auto known = std::find_if(hosts_.begin(), hosts_.end(), [&](const auto& entry) {
    return equal_ignoring_case(entry.first, host);
  });
  return known == hosts_.end() ? host : known->first;
}

// As it is stored; a new one comes behind all others.
Result<ConfigurationObject> Configuration::placed_quota_set(ConfigurationObject object,
                                                            bool is_new) const {
  if (is_new) {
    std::int64_t next = 0;
    for (auto it = objects_.lower_bound({ObjectKind::quota_set, ""});
         it != objects_.end() && it->first.first == ObjectKind::quota_set; ++it)
      next = std::max(next, position_of(it->second) + 1);
    object.set("position", std::to_string(std::min(next, readers::most)));
  }
  return canonical_quota_set(object, complexes_,
                             [&](const std::string& host) { return spelling_of(host); });
}

// All are read again, since an amount means what its complex says. One that was stored with a complex
// that is gone limits nothing, and does not keep the master from starting.
void Configuration::rebuild_quota_sets() {
  quota_sets_.clear(), unread_quotas_.clear(), limited_.clear();
  for (auto it = objects_.lower_bound({ObjectKind::quota_set, ""});
       it != objects_.end() && it->first.first == ObjectKind::quota_set; ++it) {
    const auto& object = it->second;
    auto set = QuotaSet::parse(object, complexes_);
    if (!set) unread_quotas_.emplace(object.name, set.error());
    quota_sets_.push_back(set ? std::move(*set)
                              : QuotaSet{object.name, "NONE", false, position_of(object), {}});
  }
  std::sort(quota_sets_.begin(), quota_sets_.end(), [](const QuotaSet& a, const QuotaSet& b) {
    return std::tie(a.position, a.name) < std::tie(b.position, b.name);
  });
  for (const auto& set : quota_sets_)
    for (const auto& rule : set.rules)
      for (const auto& limit : rule.limits)
        if (set.enabled) limited_.emplace(limit.complex, true);
}

// A change may not make a set unreadable that was not so before.
Outcome Configuration::check_new_quotas(const Configuration& before) const {
  for (const auto& [name, why] : unread_quotas_)
    if (!before.unread_quotas_.contains(name)) return why;
  if (quota_sets_.size() > most_quota_sets && quota_sets_.size() > before.quota_sets_.size())
    return Error{"at most " + std::to_string(most_quota_sets) + " resource quota sets are kept"};
  return Done{};
}

} // namespace almanac
