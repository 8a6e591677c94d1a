#include "core/utilization/point_tree_nodes.hpp"

#include <algorithm>

namespace almanac {

// Walks over the points from the left. A run is a stretch of amounts of at most the limit.
//
// Most runs end too early, wherever exactly they start. So a node that has an amount above the
// limit, and no room for a whole run, is not entered: the next run starts behind the last such
// amount in it, and that is all that is kept. Only if a run may last long enough, its start is
// looked for in that node, one level at a time.
class PointTree::FitSearch {
public:
  FitSearch(Duration length, std::int64_t limit)
      : length_(length.is_endless() ? ~0ULL
                                    : static_cast<std::uint64_t>(std::max<std::int64_t>(
                                          1, length.seconds))), // a run is never shorter
        limit_(limit) {}

  /// From `from` on, which is a start of its own.
  std::optional<Instant> from(Node root, int height, Instant from);
  /// From the first point after it.
  std::optional<Instant> after(Node root, int height, Instant after);

private:
  // A node that is not entered; its amounts count from `limit`.
  struct Behind {
    Node node;
    int height;
    std::int64_t limit, end;
  };

  void starts_at(std::int64_t time) { known_ = exact_ = true, start_ = time; }
  void starts_behind(const Behind& node, std::int64_t time) {
    known_ = true, exact_ = false, start_ = time, behind_ = node;
  }
  void ends() { known_ = false; }
  bool is_room(std::int64_t from, std::int64_t until) const {
    return until == no_time ||
           static_cast<std::uint64_t>(until) - static_cast<std::uint64_t>(from) >= length_;
  }

  bool may_last_until(std::int64_t end);
  void look_closer();
  bool enter(Node node, int height, std::int64_t limit, std::int64_t end, std::int64_t from);
  bool walk(Node node, int first, int height, std::int64_t limit, std::int64_t end);
  bool walk_leaf(Node node, int first, std::int64_t limit, std::int64_t end);
  bool walk_inner(Node node, int first, int height, std::int64_t limit, std::int64_t end);

  std::uint64_t length_;
  std::int64_t limit_;
  bool starts_at_from_ = true;
  bool known_ = false; // there is a run
  bool exact_ = false; // it starts at start_; else later: behind the last amount above in behind_
  std::int64_t start_ = 0;
  Behind behind_{};
};

bool PointTree::FitSearch::may_last_until(std::int64_t end) {
  while (known_ && is_room(start_, end)) {
    if (exact_) return true;
    look_closer();
  }
  return false;
}

void PointTree::FitSearch::look_closer() {
  const auto behind = behind_;
  if (behind.height == 0) {
    const auto& leaf = *behind.node.leaf;
    int last = leaf.count - 1;
    while (leaf.amounts[last] <= behind.limit) --last;
    return starts_at(last + 1 < leaf.count ? leaf.times[last + 1] : behind.end);
  }
  const auto& inner = *behind.node.inner;
  int last = inner.count - 1;
  while (inner.highest[last] <= behind.limit) --last;
  const auto end = inner.end_of(last, behind.end);
  if (inner.lowest[last] > behind.limit) return starts_at(end);
  starts_behind({inner.children[last], behind.height - 1, behind.limit - inner.adds[last], end},
                inner.times[last]);
}

std::optional<Instant> PointTree::FitSearch::from(Node root, int height, Instant from) {
  if (enter(root, height, limit_, no_time, from.seconds)) return Instant{start_};
  return std::nullopt;
}

std::optional<Instant> PointTree::FitSearch::after(Node root, int height, Instant after) {
  starts_at_from_ = false;
  return from(root, height, after);
}

bool PointTree::FitSearch::enter(Node node, int height, std::int64_t limit, std::int64_t end,
                                 std::int64_t from) {
  if (height == 0) {
    const auto& leaf = *node.leaf;
    const int next = leaf.not_after(from);
    const auto low = next > 0 ? leaf.amounts[next - 1] <= limit : limit_ >= 0;
    if (low && starts_at_from_) starts_at(from);
    return walk_leaf(node, next, limit, end);
  }
  const auto& inner = *node.inner;
  const int child = inner.child_of(from);
  const auto below = limit - inner.adds[child];
  return enter(inner.children[child], height - 1, below, inner.end_of(child, end), from) ||
         walk_inner(node, child + 1, height, limit, end);
}

bool PointTree::FitSearch::walk(Node node, int first, int height, std::int64_t limit,
                                std::int64_t end) {
  return height == 0 ? walk_leaf(node, first, limit, end)
                     : walk_inner(node, first, height, limit, end);
}

bool PointTree::FitSearch::walk_leaf(Node node, int first, std::int64_t limit, std::int64_t end) {
  const auto& leaf = *node.leaf;
  for (int i = first; i < leaf.count; ++i) {
    if (leaf.amounts[i] <= limit) {
      if (!known_) starts_at(leaf.times[i]);
      continue;
    }
    if (may_last_until(leaf.times[i])) return true;
    if (!is_room(leaf.times[i], end)) {
      starts_behind({node, 0, limit, end}, leaf.times[i]);
      return false;
    }
    ends();
  }
  return may_last_until(end);
}

bool PointTree::FitSearch::walk_inner(Node node, int first, int height, std::int64_t limit,
                                      std::int64_t end) {
  const auto& inner = *node.inner;
  for (int i = first; i < inner.count; ++i) {
    const auto child_end = inner.end_of(i, end);
    if (inner.highest[i] <= limit) {
      if (!known_) starts_at(inner.times[i]);
      if (may_last_until(child_end)) return true;
      continue;
    }
    if (inner.lowest[i] > limit) {
      ends();
      continue;
    }
    if (!may_last_until(child_end)) {
      if (!is_room(inner.times[i], end)) {
        starts_behind({node, height, limit, end}, inner.times[i]);
        return false;
      }
      if (!is_room(inner.times[i], child_end)) {
        starts_behind({inner.children[i], height - 1, limit - inner.adds[i], child_end},
                      inner.times[i]);
        continue;
      }
      ends();
    }
    if (walk(inner.children[i], 0, height - 1, limit - inner.adds[i], child_end)) return true;
  }
  return false;
}

std::optional<Instant> PointTree::earliest_fit(Instant from, Duration length,
                                               std::int64_t limit) const {
  return FitSearch(length, limit).from(root_, height_, from);
}

std::optional<Instant> PointTree::next_fit(Instant after, Duration length,
                                           std::int64_t limit) const {
  return FitSearch(length, limit).after(root_, height_, after);
}

} // namespace almanac
