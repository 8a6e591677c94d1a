// Patterns and expressions over names (spec/cli.md section 2).
//
// A pattern has *, ?, [a-z] and \. An expression joins patterns with & and |, negates
// with ! and groups with ( ): "lx*&!lx-x86".
#pragma once

#include "core/base/result.hpp"

#include <string_view>

namespace almanac {

bool matches_pattern(std::string_view pattern, std::string_view text);
bool is_pattern(std::string_view text);

enum class Case { sensitive, insensitive };

/// Whether an expression is well formed: brackets match, no operand is missing.
Outcome valid_expression(std::string_view expression);

/// A malformed expression matches nothing; check it with valid_expression() when it is entered.
bool matches_expression(std::string_view expression, std::string_view text,
                        Case sensitivity = Case::sensitive);

} // namespace almanac
