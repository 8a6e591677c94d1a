// Who asks.
#pragma once

#include "core/base/describe.hpp"

#include <cstdint>
#include <string>

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

} // namespace almanac
