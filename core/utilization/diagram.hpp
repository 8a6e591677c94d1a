// Utilization of one resource over time: a step function, the sum of the spans that are booked.
//
// 1. Before the first point the amount is 0. A point is the start or the end of a span that is
//    booked now, whether the amount changes there or not: equal sets of spans have equal points, in
//    whatever order they came.
// 2. Windows are half-open. An end of Instant::never() means for ever.
// 3. Nothing costs nothing, a few points lie in one array, many in a tree (point_tree.hpp) in which
//    each operation is logarithmic.
// Source: spec/scheduling.md section 4.
#pragma once

#include "core/base/time.hpp"
#include "core/utilization/point_tree.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace almanac {

class Diagram {
public:
  Diagram() = default;
  Diagram(const Diagram& other);
  Diagram& operator=(const Diagram& other);
  Diagram(Diagram&&) = default;
  Diagram& operator=(Diagram&&) = default;

  /// Books `amount` (which may be negative) over the window. An empty window changes nothing.
  void add(Window window, std::int64_t amount);
  /// Takes back what add() booked with the same values.
  void remove(Window window, std::int64_t amount);

  /// The highest amount at any time of the window; 0 for an empty one.
  std::int64_t max(Window window) const;
  std::int64_t at(Instant instant) const;

  /// The first start >= `from` at which the amount stays at most `limit` for `length`. Nothing if
  /// there is none.
  std::optional<Instant> earliest_fit(Instant from, Duration length, std::int64_t limit) const;
  /// The first point > `after` that is such a start.
  std::optional<Instant> next_fit(Instant after, Duration length, std::int64_t limit) const;

  /// Ascending.
  std::vector<Instant> points() const;
  bool is_empty() const { return !tree_ && few_.empty(); }
  bool operator==(const Diagram& other) const;

private:
  void raise(Window window, std::int64_t amount);
  void grow();
  void shrink();

  std::vector<PointTree::Point> few_; ///< while they are few
  std::unique_ptr<PointTree> tree_;   ///< else
};

} // namespace almanac
