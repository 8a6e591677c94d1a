#include "core/policy/quota_gaps.hpp"

#include "core/policy/quota_amount.hpp"
#include "core/policy/quota_match.hpp"
#include "core/records/records.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

bool has_told(const HostState* host) { return host && !host->facts.arch.empty(); }

bool has_formulas(const QuotaRule& rule) {
  return std::any_of(rule.limits.begin(), rule.limits.end(),
                     [](const QuotaLimit& limit) { return limit.formula.has_value(); });
}

} // namespace

void QuotaGaps::reconfigured(const Records&, ChangedKinds kinds) {
  if (kinds.may_change_instances() || kinds.may_change_quota_sets()) are_all_stale_ = true;
}

void QuotaGaps::changed(const HostState* before, const HostState* after) {
  if (has_told(before) != has_told(after)) stale_.insert((before ? before : after)->name);
}

std::vector<QuotaGap> QuotaGaps::take_found() {
  std::vector<QuotaGap> found;
  if (!are_all_stale_ && stale_.empty()) return found;
  auto now = find();
  for (const auto& [host, gaps] : now)
    for (const auto& gap : gaps)
      if (!known_[host].contains(gap)) found.push_back(gap);
  std::erase_if(known_, [&](const auto& entry) { return is_asked_about(entry.first); });
  known_.merge(now);
  stale_.clear(), are_all_stale_ = false;
  return found;
}

// Of the hosts that are asked about.
QuotaGaps::OfHosts QuotaGaps::find() const {
  constexpr std::size_t most = 10'000;
  OfHosts found;
  std::size_t count = 0;
  const auto add = [&](QuotaGap gap) {
    if (count < most) count += found[gap.host].insert(gap).second ? 1 : 0;
  };
  const auto& configuration = records_.configuration();
  for (const auto& set : configuration.quota_sets()) {
    if (!set.enabled || std::none_of(set.rules.begin(), set.rules.end(), has_formulas)) continue;
    const QuotaPlaces places(configuration, set);
    for (const auto& instance : configuration.instances()) {
      const auto& host = instance.name.host;
      const auto* state = is_asked_about(host) ? records_.find<HostState>(host) : nullptr;
      if (!has_told(state)) continue;
      for (std::size_t rule = 0; rule < set.rules.size(); ++rule)
        if (has_formulas(set.rules[rule]) && places.at(rule, instance))
          for (const auto& limit : set.rules[rule].limits)
            for (const auto& complex : missing_values(configuration, limit, host, *state))
              add({rule_label(set, rule), limit.complex + "=" + limit.text, complex, host});
    }
  }
  return found;
}

} // namespace almanac
