// Names of users and groups of this machine, the number where there is no name; its own name.
#pragma once

#include "core/job/job.hpp"

#include <optional>
#include <string>
#include <sys/types.h>

namespace almanac {

std::string user_name(uid_t uid);
std::string group_name(gid_t gid);
std::string host_name();

/// How this machine knows the user's name or uid otherwise; nothing where it knows neither. May ask
/// a server of names.
std::optional<std::string> contradiction(const Caller& caller);

} // namespace almanac
