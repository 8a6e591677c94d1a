// Many points of a step function: a B+-tree whose inner nodes know the highest and the lowest
// amount below them and add to whole subtrees at once.
//
// 1. A node's amounts are relative: what its ancestors add to it comes on top.
// 2. All leaves lie at the same depth; no node but an only leaf is empty, small neighbours are
//    joined.
#pragma once

#include "core/base/time.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace almanac {

class PointTree {
public:
  struct Point {
    Instant time;
    std::int64_t amount = 0; ///< from here to the next point
    std::int32_t spans = 0;  ///< that begin or end here
  };

  /// From ascending points.
  explicit PointTree(const std::vector<Point>& points);
  PointTree(const PointTree& other);
  ~PointTree();
  PointTree& operator=(const PointTree&) = delete;

  std::size_t size() const { return size_; }
  /// One more span begins or ends here; a new point takes the amount of its predecessor.
  void touch(Instant time);
  /// One span less; the point goes with the last of them.
  void release(Instant time);
  /// Adds to all points in [from, until).
  void add(Instant from, Instant until, std::int64_t amount);

  /// The amount at the last point <= `time`; 0 before the first.
  std::int64_t at(Instant time) const;
  /// The highest amount at any time of [from, until), which isn't empty.
  std::int64_t max(Instant from, Instant until) const;
  /// The first start >= `from` at which the amount stays at most `limit` for `length`.
  std::optional<Instant> earliest_fit(Instant from, Duration length, std::int64_t limit) const;
  /// The first point > `after` that is such a start.
  std::optional<Instant> next_fit(Instant after, Duration length, std::int64_t limit) const;

  std::vector<Point> points() const;

private:
  static constexpr int leaf_size = 64;
  static constexpr int fan_out = 32;
  struct Leaf;
  struct Inner;
  class MaxSearch;
  class FitSearch;
  union Node {
    Leaf* leaf;
    Inner* inner;
  };
  struct Range {
    std::int64_t highest, lowest;
  };

  static Range range_of(const Leaf& leaf);
  static Range range_of(const Inner& inner);
  Range range_of(Node node, int height) const;
  Instant first_time(Node node, int height) const;
  static Node copy_of(Node node, int height);
  void destroy(Node node, int height);
  void collect(Node node, int height, std::int64_t above, std::vector<Point>& into) const;
  bool insert(Node node, int height, Instant time, std::int64_t above, Node& split);
  bool erase(Node node, int height, Instant time);
  void balance(Inner& parent, int child, int height);
  void add(Node node, int height, Instant from, Instant until, std::int64_t end,
           std::int64_t amount);
  void refresh(Inner& inner, int child, int height);

  Node root_{};
  int height_ = 0; ///< 0: the root is a leaf
  std::size_t size_ = 0;
};

} // namespace almanac
