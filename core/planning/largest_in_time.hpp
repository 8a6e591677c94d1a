// Of a reservation that is to begin as soon as possible: the most slots, or the longest time, with
// which there is a start in time (spec/beyond.md B3.2, B4.1).
//
// It points into the state: once that has changed it may only be destroyed.
#pragma once

#include "core/matching/feasible_starts.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace almanac::rules {

class LargestInTime {
public:
  /// The search for a start with this value. Where one has a start, smaller ones have one, too.
  using Trial = std::function<FeasibleStarts(std::int64_t value)>;

  /// Below `impossible`.
  LargestInTime(Trial trial, std::int64_t impossible);

  /// Looks for a place once; true if there is more to look at.
  bool look();
  /// After the last look; 0: none.
  std::int64_t value() const { return possible_; }
  Instant start() const { return start_; } ///< the earliest one with that value

private:
  std::int64_t middle() const { return possible_ + (impossible_ - possible_) / 2; }

  const Trial trial_;
  std::int64_t possible_ = 0, impossible_;
  Instant start_;
  std::optional<FeasibleStarts> starts_; ///< of the value in the middle
};

} // namespace almanac::rules
