// Names of users and groups of this machine, the number where there is no name; its own name.
#pragma once

#include "actors/ports/accounts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace almanac {

std::string user_name(uid_t uid);
std::string group_name(gid_t gid);
std::string host_name();

/// Nothing if nobody has this name.
std::optional<std::int64_t> uid_of(const std::string& user);

/// Whom another machine names: nobody where this one's accounts know his name or his uid otherwise;
/// where they know his group and not him in it, the group is a number. What they don't know is
/// believed. May ask a server of names.
Vouched vouched(Caller caller);

} // namespace almanac
