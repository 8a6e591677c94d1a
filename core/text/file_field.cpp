#include "core/text/file_field.hpp"

#include <algorithm>

namespace almanac {

std::string file_field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ':' || c == '\n'; }, '_');
  return text;
}

} // namespace almanac
