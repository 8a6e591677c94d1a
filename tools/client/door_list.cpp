#include "tools/client/door_list.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <fstream>
#include <sys/stat.h>

namespace almanac {

namespace {

bool exists(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0;
}

Result<DoorAddress> parse_line(const std::string& line) {
  const auto fields = words(line, " \t\r");
  const auto colon = fields.size() > 1 ? fields[1].rfind(':') : std::string::npos;
  if (fields.size() < 2 || fields.size() > 3 || fields[0] != "tcp" || colon == std::string::npos ||
      colon == 0)
    return Error{"\"tcp HOST:PORT [SOCKET OF MUNGED]\" is expected"};
  const auto port = fields[1].substr(colon + 1);
  const auto number = parse_number(port);
  if (!number || *number < 1 || *number > 65535)
    return Error{"\"" + port + "\" is not a port from 1 to 65535"};
  return DoorAddress{{}, fields[1].substr(0, colon), port, fields.size() == 3 ? fields[2] : ""};
}

} // namespace

Result<std::vector<DoorAddress>> doors_of(const std::string& directory) {
  std::vector<DoorAddress> doors;
  if (const auto path = directory + "/run/door"; exists(path))
    doors.push_back({path, {}, {}, {}, {}});
  const auto path = directory + "/doors";
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto text = trim(line);
    if (text.empty() || text.front() == '#') continue;
    auto door = parse_line(line);
    if (!door) return Error{path + ":" + std::to_string(number) + ": " + door.what()};
    door->authority = directory + "/doors.pem";
    doors.push_back(std::move(*door));
  }
  return doors;
}

bool names_doors(const std::string& directory) {
  return exists(directory + "/run/door") || exists(directory + "/doors");
}

} // namespace almanac
