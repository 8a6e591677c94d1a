// Resource quota sets: how much of what some jobs may use at one time (spec/quotas.md, section 2).
//
// A stored set has its rules in the attribute "limit", in canonical form and in their order.
#pragma once

#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/quota_rule.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace almanac {

inline constexpr std::size_t most_quota_sets = 1'000;           ///< of a cell
inline constexpr std::size_t most_quota_rules = 1'000;          ///< of a set
inline constexpr std::size_t longest_quota_rules = 128UL << 10; ///< bytes of those of a set

struct QuotaSet {
  std::string name, description; ///< "NONE": there is no description
  bool enabled = true;
  std::int64_t position = 0; ///< sets are asked and shown in this order, then by name
  std::vector<QuotaRule> rules;

  static Result<QuotaSet> parse(const ConfigurationObject& object, const ComplexTable& complexes);
};

/// "A/1", the number counted from 1, or "A/cap" where the rule has a name that means no other one.
std::string rule_label(const QuotaSet& set, std::size_t rule);

/// The object with its rules and other values as they are stored; hosts as `spelling` has them.
Result<ConfigurationObject>
canonical_quota_set(const ConfigurationObject& object, const ComplexTable& complexes,
                    const std::function<std::string(const std::string& host)>& spelling);

/// The description as it is stored: without quotes around it, NONE where it is empty.
std::string canonical_description(std::string_view text);
/// TRUE, FALSE, 1 or 0 in any letter case.
Result<bool> parse_enabled(std::string_view text);
/// The rules as one value of an attribute, and back.
std::string join_rules(const std::vector<QuotaRule>& rules);
std::vector<std::string> split_rules(std::string_view value);

/// The place of a stored set among all.
std::int64_t position_of(const ConfigurationObject& object);

Kind quota_set_kind();

} // namespace almanac
