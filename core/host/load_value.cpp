#include "core/host/load_value.hpp"

#include "core/text/numbers.hpp"

namespace almanac {

namespace {

constexpr int digits_kept = 4;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

} // namespace

std::string quantised_value(const std::string& value) {
  const std::size_t begin = value.starts_with('-') || value.starts_with('+') ? 1 : 0;
  auto end = value.find_first_not_of("0123456789.", begin);
  if (end == std::string::npos) end = value.size();
  const bool has_unit = end + 1 == value.size() && is_letter(value.back());
  const auto point = value.find('.', begin);
  if (end == begin || (end != value.size() && !has_unit) ||
      (point != std::string::npos && value.find('.', point + 1) != std::string::npos))
    return value;
  auto rounded = value.substr(0, begin);
  int kept = 0;
  bool is_whole = true;
  for (auto at = begin; at < end; ++at) {
    const char c = value[at];
    if (!is_digit(c)) is_whole = false;
    else if (kept == digits_kept && !is_whole) break;
    else if (kept == digits_kept) {
      rounded += '0';
      continue;
    } else if (kept > 0 || c != '0') ++kept;
    rounded += c;
  }
  if (rounded.ends_with('.')) rounded.pop_back();
  return rounded + value.substr(end);
}

} // namespace almanac
