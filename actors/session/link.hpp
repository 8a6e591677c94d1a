// How a session reaches another process of the cell.
#pragma once

#include "actors/interfaces.hpp"

#include <string>

namespace almanac {

class Link {
public:
  virtual ~Link() = default;
  /// Tries to reach the daemon at `address` (host:port), which has to be the one of this role; the
  /// session gets LinkUp or LinkDown. Never blocks.
  virtual void connect(const std::string& address, session::Role role,
                       const SessionActor& session) = 0;
};

} // namespace almanac
