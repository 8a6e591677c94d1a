// When all instances of the cell together have enough slots: a bound that costs one look, before a
// place is searched for among thousands of instances.
//
// Source: spec/scheduling.md section 7.3 (S7.12).
#pragma once

#include "core/matching/supply.hpp"

#include <cstdint>
#include <optional>

namespace almanac {

class CellSlots {
public:
  /// For requests of so many slots, from that time on. For the cluster's supplies, as long as both
  /// live.
  CellSlots(const Snapshot& state, const Supply& supply, std::int64_t slots, Instant from);

  /// The first start from `start` on at which so many may be free for so long; before it they are
  /// not. Nothing: they never are.
  std::optional<Instant> not_before(Instant start, Duration length) const;

private:
  const Diagram* used_;
  std::int64_t most_; ///< that may be used; negative: never enough
  bool counts_;       ///< else there is no bound
};

} // namespace almanac
