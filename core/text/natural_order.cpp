#include "core/text/natural_order.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::string_view digits = "0123456789";

// The digits at the front, taken out, without leading zeros.
std::string_view take_number(std::string_view& text) {
  const auto end = std::min(text.find_first_not_of(digits), text.size());
  auto number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

bool begins_with_digit(std::string_view text) {
  return !text.empty() && digits.find(text.front()) != std::string_view::npos;
}

std::strong_ordering compared(std::string_view a, std::string_view b) { return a.compare(b) <=> 0; }

} // namespace

std::strong_ordering natural_order(std::string_view a, std::string_view b) {
  auto left = a, right = b;
  while (!left.empty() && !right.empty()) {
    if (begins_with_digit(left) && begins_with_digit(right)) {
      const auto one = take_number(left), other = take_number(right);
      if (const auto by_length = one.size() <=> other.size(); by_length != 0) return by_length;
      if (const auto by_digits = compared(one, other); by_digits != 0) return by_digits;
      continue;
    }
    if (const auto by_byte = compared(left.substr(0, 1), right.substr(0, 1)); by_byte != 0)
      return by_byte;
    left.remove_prefix(1), right.remove_prefix(1);
  }
  if (left.empty() != right.empty())
    return left.empty() ? std::strong_ordering::less : std::strong_ordering::greater;
  return compared(a, b);
}

} // namespace almanac
