#include "core/text/numbers.hpp"

#include "core/text/names.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace almanac {

namespace {

Error no_number(std::string_view text) {
  return {"\"" + excerpt(text) + "\" is not a valid number"};
}

} // namespace

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

Result<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  if (!all_digits(text)) return no_number(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return no_number(text);
  return value;
}

Result<std::int64_t> parse_signed(std::string_view text) {
  const bool negative = text.starts_with('-');
  auto digits =
      parse_number(text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text);
  if (!digits) return no_number(text);
  return negative ? -*digits : *digits;
}

} // namespace almanac
