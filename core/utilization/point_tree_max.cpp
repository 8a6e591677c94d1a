#include "core/utilization/point_tree_nodes.hpp"

#include <algorithm>

namespace almanac {

std::int64_t PointTree::at(Instant time) const {
  auto node = root_;
  std::int64_t above = 0;
  for (int height = height_; height > 0; --height) {
    const int child = node.inner->child_of(time.seconds);
    above += node.inner->adds[child];
    node = node.inner->children[child];
  }
  const int next = node.leaf->not_after(time.seconds);
  return next == 0 ? 0 : node.leaf->amounts[next - 1] + above;
}

// Takes the highest amount on its way down. `above`: what the ancestors of a node add.
class PointTree::MaxSearch {
public:
  MaxSearch(Instant from, Instant until) : from_(from.seconds), last_(until.seconds - 1) {}

  std::int64_t within(Node node, int height);

private:
  void from(Node node, int height, std::int64_t above);
  void until(Node node, int height, std::int64_t above);
  template <class Column> void take(const Column& amounts, int first, int end, std::int64_t above) {
    for (int i = first; i < end; ++i) highest_ = std::max(highest_, amounts[i] + above);
  }
  bool may_rise(const Inner& inner, int child, std::int64_t above) const {
    return inner.highest[child] + above > highest_;
  }

  std::int64_t from_, last_;
  std::int64_t highest_ = std::numeric_limits<std::int64_t>::min();
};

// Where the ways to both ends part, all that lies between them is known. Then each way is followed
// as long as something higher may lie there.
std::int64_t PointTree::MaxSearch::within(Node node, int height) {
  std::int64_t above = 0;
  for (; height > 0; --height) {
    const auto& inner = *node.inner;
    const int first = inner.child_of(from_), last = inner.child_of(last_);
    if (first < last) {
      take(inner.highest, first + 1, last, above);
      if (may_rise(inner, first, above))
        from(inner.children[first], height - 1, above + inner.adds[first]);
      if (may_rise(inner, last, above))
        until(inner.children[last], height - 1, above + inner.adds[last]);
      return highest_;
    }
    above += inner.adds[first];
    node = inner.children[first];
  }
  const auto& leaf = *node.leaf;
  take(leaf.amounts, std::max(0, leaf.not_after(from_) - 1), leaf.not_after(last_), above);
  return highest_;
}

void PointTree::MaxSearch::from(Node node, int height, std::int64_t above) {
  for (; height > 0; --height) {
    const auto& inner = *node.inner;
    const int child = inner.child_of(from_);
    take(inner.highest, child + 1, inner.count, above);
    if (!may_rise(inner, child, above)) return;
    above += inner.adds[child];
    node = inner.children[child];
  }
  const auto& leaf = *node.leaf;
  take(leaf.amounts, std::max(0, leaf.not_after(from_) - 1), leaf.count, above);
}

void PointTree::MaxSearch::until(Node node, int height, std::int64_t above) {
  for (; height > 0; --height) {
    const auto& inner = *node.inner;
    const int child = inner.child_of(last_);
    take(inner.highest, 0, child, above);
    if (!may_rise(inner, child, above)) return;
    above += inner.adds[child];
    node = inner.children[child];
  }
  take(node.leaf->amounts, 0, node.leaf->not_after(last_), above);
}

std::int64_t PointTree::max(Instant from, Instant until) const {
  const auto highest = MaxSearch(from, until).within(root_, height_);
  return from < first_time(root_, height_) ? std::max<std::int64_t>(0, highest) : highest;
}

} // namespace almanac
