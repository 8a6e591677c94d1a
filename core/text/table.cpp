#include "core/text/table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace almanac {

namespace {

// A letter of UTF-8 is as wide as any other: what continues one is not counted.
bool begins_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

std::string blanks_beside(std::string_view text, std::size_t width) {
  const auto letters =
      static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
  return std::string(letters < width ? width - letters : 0, ' ');
}

} // namespace

std::string left(std::string_view text, std::size_t width) {
  return std::string(text) + blanks_beside(text, width);
}
std::string left_cut(std::string_view text, std::size_t width) {
  std::size_t letters = 0, end = 0;
  for (; end < text.size(); ++end)
    if (begins_letter(text[end]) && ++letters > width) break;
  return left(text.substr(0, end), width);
}
std::string right(std::string_view text, std::size_t width) {
  return blanks_beside(text, width) + std::string(text);
}
std::string fixed(double value, int decimals) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  return buffer;
}
std::string short_memory(double bytes) {
  if (bytes < 0) return "-";
  constexpr std::array units{"", "K", "M", "G", "T"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) bytes /= 1024, ++unit;
  return fixed(bytes, 1) + units[unit];
}
std::string line(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

} // namespace almanac
