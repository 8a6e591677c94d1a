// Names of users and groups of this machine, the number where there is no name; its own name.
#pragma once

#include <string>
#include <sys/types.h>

namespace almanac {

std::string user_name(uid_t uid);
std::string group_name(gid_t gid);
std::string host_name();

} // namespace almanac
