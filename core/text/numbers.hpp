// Whole numbers as they are written down: all of the values (values.hpp) that root reads on an
// execution host.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string_view>

namespace almanac {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool all_digits(std::string_view text);
/// A decimal number without sign or blanks, up to 2^63 - 1.
Result<std::int64_t> parse_number(std::string_view text);
/// The same with an optional sign.
Result<std::int64_t> parse_signed(std::string_view text);

} // namespace almanac
