// Who asks.
#pragma once

#include "core/base/describe.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace almanac {

/// The uid and the gid of a caller that nobody knows: not those of root.
inline constexpr std::int64_t nobody = -1;

/// Who asks, as the door found out: never what a client says about itself.
struct Caller {
  std::string user{};
  std::string group{};
  std::int64_t uid = nobody;
  std::int64_t gid = nobody;
  std::string host{};    ///< where the user is: what he may do depends on it
  std::string through{}; ///< who told the master of him: an agent or a door
};
template <class V> void describe(V& visit, Caller& caller) {
  visit("user", caller.user);
  visit("group", caller.group);
  visit("uid", caller.uid);
  visit("gid", caller.gid);
  visit("host", caller.host);
  visit("through", caller.through);
}

/// The primary group as lists of users ask for it: "staff@100"; the name alone where nobody knows the
/// number.
inline std::string primary_group(const Caller& caller) {
  return caller.gid == nobody ? caller.group : caller.group + "@" + std::to_string(caller.gid);
}

/// Whether "staff" or "100", an entry of such a list without its "@", means this primary group.
inline bool is_group(std::string_view entry, std::string_view primary_group) {
  const auto at = primary_group.rfind('@');
  const bool has_number =
      at != std::string_view::npos && at + 1 < primary_group.size() &&
      primary_group.find_first_not_of("0123456789", at + 1) == std::string_view::npos;
  if (!has_number) return entry == primary_group;
  return entry == primary_group.substr(0, at) || entry == primary_group.substr(at + 1);
}

} // namespace almanac
