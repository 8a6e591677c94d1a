#include "actors/process/ownership.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

Outcome check_owner_and_mode(const std::string& path, mode_t forbidden) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return Done{};
  if (facts.st_uid != ::geteuid())
    return Error{path + " belongs to uid " + std::to_string(facts.st_uid) +
                 ", but this process runs as uid " + std::to_string(::geteuid()) +
                 ": start it as that user, or chown the file"};
  if ((facts.st_mode & forbidden & 022) != 0)
    return Error{path + " can be written by others than its owner: chmod go-w"};
  if ((facts.st_mode & forbidden) != 0)
    return Error{path + " can be read by others than its owner: chmod go="};
  return Done{};
}

} // namespace

Outcome check_ownership(const std::string& directory, const OwnFiles& files) {
  const auto place = [&](const std::string& file) {
    return file.empty() ? directory : file.front() == '/' ? file : directory + "/" + file;
  };
  for (const auto& file : files.closed)
    if (auto closed = check_owner_and_mode(place(file), 022); !closed) return closed;
  for (const auto& file : files.secret)
    if (auto secret = check_owner_and_mode(place(file), 077); !secret) return secret;
  return Done{};
}

} // namespace almanac
