// A rule of a resource quota set: for whom and where, and how much of what (spec/quotas.md,
// section 2).
//
// An error has the text that Grid Engine's users know in its first line, and the word that is wrong in
// the second one.
#pragma once

#include "core/base/describe.hpp"
#include "core/base/result.hpp"
#include "core/configuration/objects/quota_formula.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// In the order of the print form.
enum class QuotaFilter : std::uint8_t { users, projects, pes, queues, hosts };
inline constexpr std::size_t quota_filters = 5;
template <> inline constexpr QuotaFilter last_of<QuotaFilter> = QuotaFilter::hosts;

/// Of one filter of a rule. Where it is not given, anything matches, "none" too.
struct QuotaScope {
  bool given = false;
  bool expanded = false;                       ///< written in braces: each member counts by itself
  std::vector<std::string> included, excluded; ///< names, patterns, "@set"; excluded without '!'
  bool excluded_inside =
      false; ///< what is excluded is written in the braces, too; it means the same
  bool operator==(const QuotaScope&) const = default;
};

struct QuotaLimit {
  std::string complex;                 ///< its full name
  std::string text;                    ///< the value as it is stored and printed
  std::optional<QuotaFormula> formula; ///< of a dynamic limit
  /// Of a static numeric one, as Complex::amount() counts, and bookings with it: INT and BOOL as they
  /// are, MEMORY in bytes, TIME in seconds, DOUBLE in millionths.
  std::int64_t amount = 0;
  bool operator==(const QuotaLimit&) const = default;
};

struct QuotaRule {
  std::string name; ///< "": none
  std::array<QuotaScope, quota_filters> scopes;
  std::vector<QuotaLimit> limits;

  const QuotaScope& scope(QuotaFilter filter) const {
    return scopes.at(static_cast<std::size_t>(filter));
  }
  QuotaScope& scope(QuotaFilter filter) { return scopes.at(static_cast<std::size_t>(filter)); }
  bool operator==(const QuotaRule&) const = default;
};

/// Reads "limit name cap users {ann,bob},!eve to slots=100,lic=5". Names of complexes are as they are
/// written, and nothing is known of their values.
Result<QuotaRule> parse_quota_rule(std::string_view text);
/// Gives the limits their full names, amounts and formulas.
Outcome resolve_limits(QuotaRule& rule, const ComplexTable& complexes);

/// The canonical form, in one line, with the word "limit".
std::string text_of(const QuotaRule& rule);

/// The error with a place before its second line: "line 4: …".
Error located(const Error& error, const std::string& place);

} // namespace almanac
