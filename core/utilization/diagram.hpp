// Utilization of one resource over time: a step function, amount from each point until the next.
//
// 1. Before the first point the amount is 0; equal neighbours are merged, so equal
//    functions have equal points, however they came about.
// 2. Windows are half-open. An end of Instant::never() means for ever.
// Source: spec/scheduling.md section 4.
#pragma once

#include "core/base/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace almanac {

class Diagram {
public:
  /// Adds `amount` over the window; a negative amount takes back. An empty window changes nothing.
  void add(Window window, std::int64_t amount);

  /// The highest amount at any time of the window; 0 for an empty one.
  std::int64_t max(Window window) const;
  std::int64_t at(Instant instant) const;

  /// The first start >= `from` at which the amount stays at most `limit` for `length`. Nothing if
  /// there is none.
  std::optional<Instant> earliest_fit(Instant from, Duration length, std::int64_t limit) const;

  /// Where the amount changes, ascending.
  std::vector<Instant> points() const;
  bool is_empty() const { return levels_.empty(); }

private:
  std::map<Instant, std::int64_t>::iterator split_at(Instant instant);
  void merge(std::map<Instant, std::int64_t>::iterator from, Instant until);

  std::map<Instant, std::int64_t> levels_;
};

} // namespace almanac
