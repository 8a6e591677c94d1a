// How a daemon that root has started becomes the user whose files it works with.
//
// 1. Root's rights are given up for good: afterwards it is tried that there is no way back.
// 2. All of this is done before any other thread is made: capabilities belong to threads.
#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace almanac {

/// A user of this machine.
struct Account {
  std::string name; ///< the number in digits, where it has no name
  uid_t uid = 0;
  gid_t gid = 0;
};

/// The user of that name; an error if this machine has none.
Result<Account> account_of(const std::string& user);
/// Whose folder it is; an error if it can't be looked at.
Result<Account> owner_of(const std::string& directory);

/// Of the rights that root has, the one that a daemon may need later: opening ports below 1024.
enum class LowPorts {
  refused,
  undecided, ///< the right is kept without effect until decide_low_ports()
  allowed,
};
LowPorts low_ports_for(std::uint16_t port, std::uint16_t another_port);

/// Root becomes the user, with all the user's groups; the error says which step failed.
Outcome become_for_good(const Account& user, LowPorts ports);
/// After LowPorts::undecided. It is no error where the process never had the right.
Outcome decide_low_ports(LowPorts ports);

/// Where root runs this process and somebody else owns the folder, it becomes the owner; else it
/// stays who it is. So a folder that is not there changes nothing.
Outcome become_owner_of(const std::string& directory, LowPorts ports);

} // namespace almanac
