// A dynamic limit of a quota rule: a sum over values of a host (spec/quotas.md, section 4, Static and
// dynamic limits).
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace almanac {

class ComplexTable;

/// A constant and a sum of weight * complex; constant and weights in millionths.
struct QuotaFormula {
  std::int64_t constant = 0;
  std::vector<std::pair<std::string, std::int64_t>> terms; ///< complex, weight (signed)
  bool operator==(const QuotaFormula&) const = default;
};

/// A formula, and how it is written with full names of complexes.
struct WrittenFormula {
  QuotaFormula formula;
  std::string text;
};

/// Terms joined by + and -, without blanks: number, $complex, $complex*number. The complexes are
/// those of type INT and DOUBLE.
Result<WrittenFormula> parse_quota_formula(std::string_view text, const ComplexTable& complexes);

} // namespace almanac
