#include "agent/helper/own_folders.hpp"

#include "actors/process/ownership.hpp"
#include "actors/trust/keyring.hpp"
#include "core/execution/common_files.hpp"
#include "agent/shepherd/processes.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

namespace fs = std::filesystem;

Error trouble_at(const char* what, const std::string& path) {
  return {std::string("can't ") + what + " " + path + ": " + std::strerror(errno)};
}

// `forbidden`: what others may not have of it.
Outcome give(const std::string& path, mode_t forbidden, const UserIds& user) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) return trouble_at("find", path);
  if (S_ISLNK(facts.st_mode)) return Error{path + " is a link"};
  if ((facts.st_mode & forbidden & 022) != 0)
    return Error{path + " can be written by others than its owner: chmod go-w"};
  if ((facts.st_mode & forbidden) != 0)
    return Error{path + " can be read by others than its owner: chmod go="};
  if (facts.st_uid == user.uid) return Done{};
  if (facts.st_uid != ::geteuid())
    return Error{path + " belongs to uid " + std::to_string(facts.st_uid) +
                 ", but the agent's network half runs as uid " + std::to_string(user.uid) +
                 ": chown -R it"};
  std::error_code error;
  if (S_ISDIR(facts.st_mode))
    for (const auto& entry : fs::recursive_directory_iterator(path, error))
      if (::lchown(entry.path().c_str(), user.uid, user.gid) != 0)
        return trouble_at("give away", entry.path());
  if (error || ::lchown(path.c_str(), user.uid, user.gid) != 0)
    return trouble_at("give away", path);
  return Done{};
}

Outcome make_own(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) != 0)
    return errno == EEXIST ? Outcome(Done{}) : trouble_at("make", path);
  return ::chmod(path.c_str(), mode) == 0 ? Outcome(Done{}) : trouble_at("make", path);
}

// The file's only line; made if it is not there.
Result<std::string> kept_name(const TaskFolder& spool, const char* name, std::size_t bytes) {
  if (auto there = spool.read(name); there && !there->empty()) {
    while (!there->empty() && there->back() == '\n') there->pop_back();
    return *there;
  }
  const auto made = to_hex(random_bytes(bytes));
  if (auto written = spool.write(name, made + "\n", 0600); !written) return written.error();
  return made;
}

// Tasks of an earlier version go on; so do their shepherds, which look at the lease where it was.
void move_to_session(int spool, const std::string& path) {
  for (const char* name : {"lease", "boot"}) {
    struct stat facts {};
    if (::fstatat(spool, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode))
      continue;
    if (::renameat(spool, name, spool, ("session/" + std::string(name)).c_str()) == 0 &&
        name == std::string("lease") && ::symlinkat("session/lease", spool, name) != 0)
      return; // they end as if the agent were away
  }
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    const auto name = entry.path().filename().string();
    if (!fs::exists(entry.path() / "order", error)) continue;
    fs::create_directory(path + "/session/" + name, error);
    fs::rename(entry.path() / "order", path + "/session/" + name + "/order", error);
  }
}

Outcome note_place(const TaskFolder& spool, int folder) {
  struct stat facts {};
  if (spool.has("place")) return Done{};
  if (::fstat(folder, &facts) != 0) return Error{"can't look at the spool"};
  return spool.write("place", std::to_string(facts.st_ino) + "\n", 0600);
}

} // namespace

Outcome share_directory(const std::string& directory, const UserIds& user) {
  const auto inside = [&](const char* name) { return directory + "/" + name; };
  const OwnFiles own{
      {"", "settings.toml", "ca.pem", "tls.pem", "ticket", "ticket.sig", "master.pub"}, {}};
  if (auto ours = check_ownership(directory, own); !ours) return ours;
  for (const char* folder : {"run", "log", "common_files"}) {
    if (auto made = make_own(inside(folder), 0755); !made) return made;
    if (auto given = give(inside(folder), 022, user); !given) return given;
  }
  for (const char* key : {"sign.key", "tls.key"})
    if (auto given = give(inside(key), 077, user); !given) return given;
  if (user.uid == ::geteuid()) return Done{};
  // What every peer is shown anyway; the keys are the secret.
  for (const char* shown : {"ca.pem", "tls.pem", "ticket", "ticket.sig"})
    if (::chmod(inside(shown).c_str(), 0644) != 0)
      return trouble_at("open to others", inside(shown));
  return Done{};
}

Outcome link_common_files(const std::string& directory, const std::string& cell) {
  const auto common = directory + "/" + cell + "/common";
  for (const auto& folder : {directory + "/" + cell, common})
    if (auto made = make_own(folder, 0755); !made) return made;
  if (auto ours = check_ownership(directory, {{cell, cell + "/common"}, {}}); !ours) return ours;
  std::error_code error;
  if (fs::is_symlink(common, error) || fs::exists(common + "/act_qmaster", error)) return Done{};
  for (const std::string name : common_file_names) {
    const auto link = common + "/" + name, copy = "../../common_files/" + name;
    if (::symlink(copy.c_str(), link.c_str()) != 0 && errno != EEXIST)
      return trouble_at("make", link);
  }
  return Done{};
}

// A copy has another inode.
Result<std::string> set_aside_copy(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) return std::string();
  const auto here = std::to_string(facts.st_ino);
  std::string place;
  std::ifstream(path + "/place") >> place;
  if (place.empty() || place == here) return std::string();
  auto away = path + ".copied-" + here;
  if (::rename(path.c_str(), away.c_str()) != 0) return trouble_at("rename", path);
  return away;
}

Result<int> open_spool(const std::string& path, const UserIds& user, TaskPlaces& places) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return Error{"can't make the spool " + path + ": " + error.message()};
  if (auto ours = check_ownership(path, {{""}, {}}); !ours) return ours.error();
  const int spool = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (spool < 0 || ::fchmod(spool, 0711) != 0)
    return Error{"the spool " + path + " is not a folder of the agent's own"};
  for (const auto& entry : fs::directory_iterator(path, error))
    if (entry.path().filename().string().starts_with("removed-"))
      fs::remove_all(entry.path(), error);
  ::mkdirat(spool, "session", 0700);
  // Until it is given away nobody has laid a link into it.
  if (check_ownership(path, {{"session"}, {}})) move_to_session(spool, path);
  if (auto given = give(path + "/session", 077, user); !given) return given.error();
  const TaskFolder names(spool, ".");
  if (auto noted = note_place(names, spool); !noted) return noted.error();
  auto id = kept_name(names, "id", 8), secret = kept_name(names, "secret", 32);
  for (const auto* name : {&id, &secret})
    if (!*name) return name->error();
  places = {path, *id, *secret, cgroup_base("almanac-" + *id)};
  return spool;
}

} // namespace almanac
