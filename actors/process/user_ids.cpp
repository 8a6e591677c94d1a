#include "actors/process/user_ids.hpp"

#include <algorithm>
#include <cerrno>
#include <grp.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace almanac {

UserIds ids_of(const std::string& user, std::int64_t uid, std::int64_t gid) {
  UserIds ids{static_cast<uid_t>(uid), static_cast<gid_t>(gid), {}};
  int count = 64;
  ids.groups.resize(64);
  while (::getgrouplist(user.c_str(), ids.gid, ids.groups.data(), &count) < 0 && count > 0 &&
         ids.groups.size() < static_cast<std::size_t>(count))
    ids.groups.resize(static_cast<std::size_t>(count));
  ids.groups.resize(static_cast<std::size_t>(std::max(count, 0)));
  return ids;
}

bool become_for_good(const UserIds& user) {
  if (::setgroups(user.groups.size(), user.groups.data()) != 0 ||
      ::setresgid(user.gid, user.gid, user.gid) != 0 ||
      ::setresuid(user.uid, user.uid, user.uid) != 0)
    return false;
  uid_t real = 0, effective = 0, saved = 0;
  gid_t real_group = 0, effective_group = 0, saved_group = 0;
  const bool is_it = ::getresuid(&real, &effective, &saved) == 0 &&
                     ::getresgid(&real_group, &effective_group, &saved_group) == 0 &&
                     real == user.uid && effective == user.uid && saved == user.uid &&
                     real_group == user.gid && effective_group == user.gid &&
                     saved_group == user.gid;
  const bool is_for_good =
      is_it && (user.uid == 0 || (::setuid(0) != 0 && (user.gid == 0 || ::setgid(0) != 0)));
  errno = EPERM;
  return is_for_good;
}

bool drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  return ::syscall(SYS_capset, &header, none) == 0;
}

} // namespace almanac
