// A user of this machine with all groups, and how a process becomes that user for good: of the
// master, of both halves of an agent, and of what its shepherds run.
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace almanac {

struct UserIds {
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;
};
UserIds ids_of(const std::string& user, std::int64_t uid, std::int64_t gid);

/// Makes this process the user's for good, and tries that there is no way back. False with errno
/// set. Asks nothing of the system's tables of users: it may be called after a fork.
bool become_for_good(const UserIds& user);

/// Gives up all capabilities for good, as far as this process itself goes. False with errno set.
bool drop_capabilities();

} // namespace almanac
