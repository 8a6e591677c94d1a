#include "core/configuration/objects/lists.hpp"

#include "core/text/words.hpp"

namespace almanac {

Result<std::map<std::string, std::string>> parse_value_list(std::string_view text) {
  std::map<std::string, std::string> result;
  if (equal_ignoring_case(trim(text), "NONE")) return result;
  for (const auto& entry : words(text)) {
    const auto equals = entry.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == entry.size())
      return Error{"\"" + entry + "\" must be written name=value"};
    if (!result.emplace(entry.substr(0, equals), entry.substr(equals + 1)).second)
      return Error{"\"" + entry.substr(0, equals) + "\" appears twice"};
  }
  return result;
}

std::vector<std::string> parse_name_list(std::string_view text) {
  if (equal_ignoring_case(trim(text), "NONE")) return {};
  return words(text);
}

std::string print_name_list(const std::vector<std::string>& names) {
  return names.empty() ? "NONE" : join(names, ",");
}

} // namespace almanac
