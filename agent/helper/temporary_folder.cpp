#include "agent/helper/temporary_folder.hpp"

#include "actors/trust/keyring.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr int tries = 3; // under another name each
constexpr mode_t shared_mode = 0711;

std::string name_of_try(const TemporaryFolder& folder, int number) {
  return folder.task + "." +
         sha256(folder.secret + "/" + std::to_string(number)).substr(0, 16); // 64 bits
}

Error refused(const std::string& path, const std::string& why) {
  return {"the temporary directory " + path + ": " + why};
}

bool is_folder_of(const std::string& path, uid_t owner) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == owner;
}

// The open folder.
Result<int> open_shared(const TemporaryFolder& folder) {
  const auto path = folder.shared();
  if (!folder.base.starts_with('/') || folder.cell.find('/') != std::string::npos ||
      folder.task.find('/') != std::string::npos)
    return refused(path, "can't be named like this");
  const bool is_new = ::mkdir(path.c_str(), shared_mode) == 0;
  const int file = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return refused(path, std::strerror(errno));
  struct stat facts {};
  if (is_new) ::fchmod(file, shared_mode); // whatever the umask is
  if (::fstat(file, &facts) == 0 && facts.st_uid == ::geteuid() &&
      (facts.st_mode & 07777) == shared_mode)
    return file;
  ::close(file);
  return refused(path, "it has to be the agent's own, with mode 0711; somebody has made another");
}

} // namespace

std::string TemporaryFolder::shared() const {
  const auto own = ::geteuid() == 0 ? "" : "-" + std::to_string(::geteuid());
  return base + "/almanac-" + cell + own;
}

std::string TemporaryFolder::path(uid_t owner) const {
  for (int number = 0; number < tries; ++number)
    if (auto path = shared() + "/" + name_of_try(*this, number); is_folder_of(path, owner))
      return path;
  return shared() + "/" + name_of_try(*this, 0);
}

Outcome make_shared_folder(const TemporaryFolder& folder) {
  auto opened = open_shared(folder);
  if (!opened) return opened.error();
  ::close(*opened);
  return Done{};
}

Result<std::string> make_temporary_folder(const TemporaryFolder& folder, const UserIds& user) {
  auto opened = open_shared(folder);
  if (!opened) return opened.error();
  auto path = folder.path(user.uid);
  bool made = is_folder_of(path, user.uid);
  int problem = 0;
  for (int number = 0; number < tries && !made; ++number) {
    const auto name = name_of_try(folder, number);
    path = folder.shared() + "/" + name;
    made = ::mkdirat(*opened, name.c_str(), 0700) == 0 &&
           (::geteuid() != 0 ||
            ::fchownat(*opened, name.c_str(), user.uid, user.gid, AT_SYMLINK_NOFOLLOW) == 0);
    if (!made) problem = errno;
  }
  ::close(*opened);
  if (!made) return refused(path, std::strerror(problem));
  return path;
}

} // namespace almanac
