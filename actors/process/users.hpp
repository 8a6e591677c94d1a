// Names of users and groups of this machine; the number where there is no name.
#pragma once

#include <string>
#include <sys/types.h>

namespace almanac {

std::string user_name(uid_t uid);
std::string group_name(gid_t gid);

} // namespace almanac
