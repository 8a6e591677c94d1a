#include "actors/process/command_links.hpp"

#include "actors/process/architecture.hpp"

#include <filesystem>

namespace almanac {

Outcome link_commands(const std::string& root, const std::string& binaries) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto link = root + "/bin/" + architecture();
  fs::create_directory(root + "/bin", error);
  if (fs::read_symlink(link, error) == binaries) return Done{};
  fs::remove(link, error);
  fs::create_symlink(binaries, link, error);
  if (error) return Error{"can't make " + link + ": " + error.message()};
  return Done{};
}

} // namespace almanac
