#include "agent/helper/temporary_folder.hpp"

#include "actors/trust/keyring.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr int tries = 3; // of each folder, under another name
constexpr mode_t shared_mode = 0711;

std::string digits_of(const std::string& text) { return sha256(text).substr(0, 16); } // 64 bits

std::string name_of_try(const TemporaryFolder& folder, int number) {
  return folder.task + "." +
         digits_of(folder.secret + "/" + folder.attempt + "/" + std::to_string(number));
}

Error refused(const std::string& path, const std::string& why) {
  return {"the temporary directory " + path + ": " + why};
}

// What the kernel knows will do: a user's own file system may have mounted itself there, and would
// answer in its own time.
std::optional<struct statx> facts_of_folder(const std::string& path) {
  struct statx facts {};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC,
              STATX_TYPE | STATX_MODE | STATX_UID, &facts) != 0 ||
      !S_ISDIR(facts.stx_mode))
    return std::nullopt;
  return facts;
}
bool is_folder_of(const std::string& path, uid_t owner) {
  const auto facts = facts_of_folder(path);
  return facts && facts->stx_uid == owner;
}
bool is_shared(const std::string& path) {
  const auto facts = facts_of_folder(path);
  return facts && facts->stx_uid == ::geteuid() && (facts->stx_mode & 07777) == shared_mode;
}

// The open folder.
Result<int> open_shared(const TemporaryFolder& folder, int number) {
  const auto path = folder.shared(number);
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

// The name of the new folder, or "" with errno set.
std::string make_in(int shared, const TemporaryFolder& folder, const UserIds& user) {
  for (int number = 0; number < tries; ++number) {
    const auto name = name_of_try(folder, number);
    if (::mkdirat(shared, name.c_str(), 0700) == 0 &&
        (::geteuid() != 0 ||
         ::fchownat(shared, name.c_str(), user.uid, user.gid, AT_SYMLINK_NOFOLLOW) == 0))
      return name;
  }
  return "";
}

} // namespace

std::string TemporaryFolder::shared(int number) const {
  const auto own = ::geteuid() == 0 ? "" : "-" + std::to_string(::geteuid());
  const auto other = number == 0 ? "" : "-" + digits_of(secret + "/" + std::to_string(number));
  return base + "/almanac-" + cell + own + other;
}

std::optional<std::string> TemporaryFolder::find(uid_t owner) const {
  for (int place = 0; place < tries; ++place) {
    if (!is_shared(shared(place))) continue; // somebody else's, who may put anything into it
    for (int number = 0; number < tries; ++number)
      if (auto path = shared(place) + "/" + name_of_try(*this, number); is_folder_of(path, owner))
        return path;
  }
  return std::nullopt;
}

std::string TemporaryFolder::path(uid_t owner) const {
  auto found = find(owner);
  return found ? *found : shared(0) + "/" + name_of_try(*this, 0);
}

Outcome make_shared_folder(const TemporaryFolder& folder) {
  auto opened = open_shared(folder, 0);
  if (!opened) return opened.error();
  ::close(*opened);
  return Done{};
}

Result<std::string> make_temporary_folder(const TemporaryFolder& folder, const UserIds& user) {
  if (auto path = folder.find(user.uid)) return *path;
  std::optional<Error> problem;
  for (int place = 0; place < tries; ++place) {
    auto opened = open_shared(folder, place);
    if (!opened) {
      if (!problem) problem = opened.error();
      continue;
    }
    const auto made = make_in(*opened, folder, user);
    ::close(*opened);
    if (!made.empty()) return folder.shared(place) + "/" + made;
    problem = refused(folder.shared(place), std::strerror(errno));
  }
  return *problem;
}

} // namespace almanac
