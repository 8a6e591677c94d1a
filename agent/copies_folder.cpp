#include "agent/copies_folder.hpp"

#include "actors/process/daemon.hpp"
#include "actors/trust/keyring.hpp"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

std::vector<CommonFileVersion> CopiesFolder::all() const {
  std::vector<CommonFileVersion> copies;
  for (const std::string name : common_file_names)
    if (const auto content = read_file(path_of(name))) copies.push_back({name, sha256(*content)});
  return copies;
}

Outcome CopiesFolder::write(const std::string& name, const std::string& content) {
  if (auto written = write_file(path_of(name), content, 0644); !written) return written;
  // Commands of all users read it, whatever the umask of the agent was.
  if (::chmod(path_of(name).c_str(), 0644) == 0) return Done{};
  return Error{"can't open " + path_of(name) + " to others: " + std::strerror(errno)};
}

Outcome CopiesFolder::remove(const std::string& name) {
  if (::unlink(path_of(name).c_str()) == 0 || errno == ENOENT) return Done{};
  return Error{"can't remove " + path_of(name) + ": " + std::strerror(errno)};
}

} // namespace almanac
