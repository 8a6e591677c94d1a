#include "actors/process/rights.hpp"

#include "actors/process/user_ids.hpp"
#include "actors/process/users.hpp"

#include <cerrno>
#include <cstring>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::uint32_t right_to_low_ports = 1u << CAP_NET_BIND_SERVICE;

Outcome set_capabilities(std::uint32_t permitted, std::uint32_t effective) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3]{};
  sets[0].permitted = permitted, sets[0].effective = effective;
  if (::syscall(SYS_capset, &header, sets) != 0)
    return Error{std::string("can't give up capabilities: ") + std::strerror(errno)};
  return Done{};
}

// Of those that this thread has.
std::uint32_t permitted_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3]{};
  return ::syscall(SYS_capget, &header, sets) == 0 ? sets[0].permitted : 0;
}

} // namespace

Result<Account> account_of(const std::string& user) {
  const auto* entry = ::getpwnam(user.c_str());
  if (!entry) return Error{"there is no user \"" + user + "\" on this machine"};
  return Account{entry->pw_name, entry->pw_uid, entry->pw_gid};
}

Result<Account> owner_of(const std::string& directory) {
  struct stat facts {};
  if (::stat(directory.c_str(), &facts) != 0)
    return Error{"can't look at " + directory + ": " + std::strerror(errno)};
  const auto* entry = ::getpwuid(facts.st_uid);
  return Account{user_name(facts.st_uid), facts.st_uid, entry ? entry->pw_gid : facts.st_gid};
}

LowPorts low_ports_for(std::uint16_t port, std::uint16_t another_port) {
  const auto is_low = [](std::uint16_t number) { return number > 0 && number < 1024; };
  return is_low(port) || is_low(another_port) ? LowPorts::allowed : LowPorts::refused;
}

Outcome become_for_good(const Account& user, LowPorts ports) {
  if (user.uid == 0) return Error{"root is nobody to give rights up for"};
  if (::prctl(PR_SET_KEEPCAPS, ports == LowPorts::refused ? 0 : 1) != 0 ||
      !become_for_good(ids_of(user.name, user.uid, user.gid)) || ::prctl(PR_SET_KEEPCAPS, 0) != 0)
    return Error{"can't become user " + user.name + ": " + std::strerror(errno)};
  const auto kept = ports == LowPorts::refused ? 0 : right_to_low_ports & permitted_capabilities();
  if (auto set = set_capabilities(kept, ports == LowPorts::allowed ? kept : 0); !set) return set;
  return Done{};
}

Outcome decide_low_ports(LowPorts ports) {
  const auto had = permitted_capabilities() & right_to_low_ports;
  if (::geteuid() == 0 || had == 0) return Done{};
  const auto kept = ports == LowPorts::refused ? 0 : had;
  return set_capabilities(kept, kept);
}

Outcome become_owner_of(const std::string& directory, LowPorts ports) {
  if (::geteuid() != 0) return Done{};
  const auto owner = owner_of(directory);
  if (!owner || owner->uid == 0) return Done{};
  return become_for_good(*owner, ports);
}

} // namespace almanac
