#include "agent/helper/accounts.hpp"

#include "agent/shepherd/processes.hpp"

#include <pwd.h>

namespace almanac {

namespace {

constexpr std::int64_t kept_ms = 10'000;

Result<UserFacts> look_up(const std::string& name) {
  passwd entry{};
  passwd* found = nullptr;
  char buffer[16384];
  if (::getpwnam_r(name.c_str(), &entry, buffer, sizeof buffer, &found) != 0 || !found)
    return Error{"user \"" + name + "\" is not known"};
  return UserFacts{name,
                   found->pw_dir,
                   found->pw_shell && *found->pw_shell ? found->pw_shell : "/bin/sh",
                   found->pw_uid,
                   found->pw_gid,
                   ids_of(name, found->pw_uid, found->pw_gid).groups};
}

} // namespace

UserIds ids_of(const UserFacts& user) {
  return {static_cast<uid_t>(user.uid), static_cast<gid_t>(user.gid), user.groups};
}

Result<UserFacts> Accounts::find(const std::string& name) {
  const auto now = boot_clock_ms();
  if (const auto it = entries_.find(name); it != entries_.end() && now < it->second.until)
    return it->second.user;
  auto user = look_up(name);
  if (!user) return user;
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.until <= now; });
  entries_[name] = {*user, now + kept_ms};
  return user;
}

} // namespace almanac
