// How a session reaches another process of the cell.
#pragma once

#include "actors/interfaces.hpp"

#include <string>

namespace almanac {

class Link {
public:
  virtual ~Link() = default;
  /// Tries to reach the reception at `address` (host:port); the session gets LinkUp or LinkDown.
  /// Never blocks.
  virtual void connect(const std::string& address, const SessionActor& session) = 0;
};

} // namespace almanac
