// The enabled quota sets of a configuration, made ready for questions: which rule of each set
// concerns a party at a place.
//
// The first rule that matches is the only one of its set (spec/quotas.md Q3.13). It holds as long as
// the configuration.
#pragma once

#include "core/policy/quota_match.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace almanac {

class QuotaRules {
public:
  /// Which filters are written in braces: bits for user, project, PE; for queue, host.
  struct Expansion {
    std::uint8_t member = 0, place = 0;
  };
  /// An enabled set with rules.
  struct Set {
    const QuotaSet* quotas;
    QuotaPlaces places;
    std::vector<Expansion> expansions; ///< of each rule
  };
  /// Of one set: the rules that may concern a party, in their order. No rule behind the first that
  /// concerns it everywhere is among them.
  using Candidates = std::vector<std::uint16_t>;

  explicit QuotaRules(const Configuration& configuration);

  bool empty() const { return sets_.empty(); }
  const std::vector<Set>& sets() const { return sets_; }
  Candidates candidates(std::size_t set, const QuotaParty& party) const;
  /// Of each set.
  std::vector<Candidates> candidates(const QuotaParty& party) const;
  /// Whether one rule is used everywhere, and its counters do not tell places apart.
  bool are_same_everywhere(std::size_t set, const Candidates& candidates) const {
    const auto rule = candidates.front();
    return sets_[set].places.everywhere(rule) && sets_[set].expansions[rule].place == 0;
  }
  /// The rule of the set that is used there; nothing: the set does not restrict the party there.
  std::optional<std::size_t> rule_at(std::size_t set, const Candidates& candidates,
                                     const QueueInstance& instance) const {
    for (const auto rule : candidates)
      if (sets_[set].places.at(rule, instance)) return rule;
    return std::nullopt;
  }

private:
  const Configuration& configuration_;
  std::vector<Set> sets_;
};

} // namespace almanac
