#include "actors/process/users.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

namespace almanac {

std::string user_name(uid_t uid) {
  passwd entry{};
  passwd* found = nullptr;
  char buffer[4096];
  if (::getpwuid_r(uid, &entry, buffer, sizeof buffer, &found) == 0 && found) return found->pw_name;
  return std::to_string(uid);
}
std::string group_name(gid_t gid) {
  group entry{};
  group* found = nullptr;
  char buffer[16384];
  if (::getgrgid_r(gid, &entry, buffer, sizeof buffer, &found) == 0 && found) return found->gr_name;
  return std::to_string(gid);
}

std::string host_name() {
  char name[256] = "localhost";
  ::gethostname(name, sizeof name - 1);
  return name;
}

std::optional<std::string> contradiction(const Caller& caller) {
  const auto said = "\"" + caller.user + "\" with uid " + std::to_string(caller.uid);
  passwd entry{};
  passwd* found = nullptr;
  char buffer[4096];
  if (::getpwnam_r(caller.user.c_str(), &entry, buffer, sizeof buffer, &found) == 0 && found &&
      found->pw_uid != caller.uid)
    return said + " has uid " + std::to_string(found->pw_uid) + " here";
  if (caller.uid != static_cast<uid_t>(caller.uid)) return std::nullopt;
  const auto here = user_name(static_cast<uid_t>(caller.uid));
  if (here == caller.user || here == std::to_string(caller.uid)) return std::nullopt;
  return said + " is \"" + here + "\" here";
}

} // namespace almanac
