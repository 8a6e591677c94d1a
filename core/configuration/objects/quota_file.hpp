// Resource quota sets as files have them and `qconf -srqs` prints them (spec/quotas.md, section 2).
#pragma once

#include "core/configuration/objects/quota_set.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

inline constexpr std::size_t longest_quota_file = 16UL << 20; ///< bytes

struct QuotaFile {
  std::vector<ConfigurationObject> sets; ///< in the order of the file
  std::vector<Error> errors; ///< each what is wrong, and in its second line where; 20 at most
};
/// Nothing is known of complexes here.
QuotaFile read_quota_file(std::string_view text);

/// The sets of a file, or the first of its errors.
Result<std::vector<ConfigurationObject>> parse_quota_sets(std::string_view text);

/// The lines of a file at which the rules of each set begin, in their order, as far as it reads.
std::map<std::string, std::vector<std::size_t>> quota_rule_lines(std::string_view text);

/// A set in its canonical form.
std::string print_quota_set(const ConfigurationObject& object);

/// What an editor is given for a new set.
ConfigurationObject new_quota_set(std::string name);

} // namespace almanac
