// The network half of an agent: another program, with as few rights as it can do with.
#pragma once

#include "agent/helper/message.hpp"
#include "actors/process/user_ids.hpp"

#include <string>

namespace almanac {

struct SessionProcess {
  pid_t pid = -1;
  int socket = -1; ///< the helper's end
  int ready = -1;  ///< says something once it is there
};

/// Whom it runs as.
struct SessionUser {
  bool change = false; ///< otherwise it stays its starter's
  UserIds ids;
};
/// The user with this name; "" and one's own name change nothing. The error says why that can't be.
Result<SessionUser> session_user(const std::string& name);

/// Of this process, for good: the user, and no right beyond. False with errno set.
bool become_session_user(const UserIds& user);

/// Starts `program`, which ends when this process does and keeps `lock` open as long as it lives.
/// It finds the socket, the lock and the pipe as descriptors 3, 4 and 5.
Result<SessionProcess> start_session(const std::string& program, const SessionUser& user, int lock,
                                     const HelperGreeting& greeting);

} // namespace almanac
