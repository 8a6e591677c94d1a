#include "tools/output/table.hpp"

#include <array>
#include <cstdio>

namespace almanac {

std::string left(std::string_view text, std::size_t width) {
  std::string result(text);
  if (result.size() < width) result.resize(width, ' ');
  return result;
}
std::string left_cut(std::string_view text, std::size_t width) {
  return left(text.substr(0, width), width);
}
std::string right(std::string_view text, std::size_t width) {
  return text.size() >= width ? std::string(text)
                              : std::string(width - text.size(), ' ') + std::string(text);
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
