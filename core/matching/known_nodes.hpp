// All execution hosts as the site's conditions on reservations see them (spec/plus.md P7.14, P7.18 to
// P7.26).
#pragma once

#include "core/policy/reservable.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace almanac {

class Snapshot;

struct KnownNodes {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  AdValue all; ///< in the order of their names
  /// Places in it, by the index of the host among those of queue instances; none: it is no exec host
  /// any more.
  std::vector<std::size_t> places;

  // What they are made of.
  std::uint64_t changes = 0, task_changes = 0;
  Instant at;
  Instant idle_noted_since;
};

/// Made anew only when something of it has changed, or the time has.
const KnownNodes& known_nodes(const Snapshot& state, Instant now);

} // namespace almanac
