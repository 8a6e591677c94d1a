#include "core/configuration/objects/load_sensors.hpp"

#include "core/configuration/objects/lists.hpp"
#include "core/text/names.hpp"

#include <algorithm>

namespace almanac {

Result<std::vector<std::string>> parse_load_sensors(const std::string& text) {
  constexpr std::size_t most = 16, longest_path = 1024;
  auto programs = parse_name_list(text);
  if (programs.size() > most)
    return Error{std::to_string(programs.size()) + " programs are too many: at most " +
                 std::to_string(most) + " are taken"};
  for (const auto& path : programs) {
    if (!path.starts_with('/') || path.size() > longest_path)
      return Error{"\"" + excerpt(path) + "\" is not the absolute path of a program"};
    if (std::count(programs.begin(), programs.end(), path) > 1)
      return Error{"\"" + path + "\" stands there twice"};
  }
  return programs;
}

} // namespace almanac
