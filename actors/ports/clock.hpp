// What time it is. The master's clock never goes back; see master/wall_clock.hpp and the
// simulator's.
#pragma once

#include "core/base/time.hpp"

namespace almanac {

class Clock {
public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
};

} // namespace almanac
