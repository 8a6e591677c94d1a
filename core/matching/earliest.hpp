// When a waiting job can have its place first: the earliest start, gaps between bookings included.
//
// Times are tried in ascending order; the first at which the job fits is taken. Instants are whole
// seconds. Source: spec/scheduling.md sections 6.1 (S6.7) and 7.3 (S7.12), spec/rulings.md.
#pragma once

#include "core/matching/placement.hpp"

#include <optional>

namespace almanac {

/// The earliest place that starts at `from` or later and before `before`, and there the largest
/// number of slots; nothing if there is none. For jobs in no reservation. Instances that are switched
/// off or out of reach are not counted on; what load they will have is not known.
std::optional<Placement> place_earliest(const Snapshot& state, const ClassRequest& wanted,
                                        Instant from, Instant before = Instant::never());

} // namespace almanac
