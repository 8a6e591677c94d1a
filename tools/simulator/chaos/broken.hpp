// How a violation ends a run of chaos.
#pragma once

#include "core/monitor/invariants.hpp"

#include <string>

namespace almanac {

/// Thrown out of the middle of the world: nothing after a violation counts.
struct Broken {
  Violation violation;
};

inline void require(bool holds, Invariant invariant, const std::string& what) {
  if (!holds) throw Broken{{invariant, what}};
}

} // namespace almanac
