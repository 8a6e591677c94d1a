#include "core/utilization/point_tree.hpp"

#include "core/base/check.hpp"
#include "core/utilization/point_tree_nodes.hpp"

#include <algorithm>
#include <tuple>

namespace almanac {

namespace {

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  check(!__builtin_add_overflow(a, b, &result), "an amount stays within 64 bits");
  return result;
}

// A node's entries lie in arrays of equal length, its columns.
template <class Node> void open_gap(Node& node, int at) {
  std::apply(
      [&](auto&... column) {
        (std::move_backward(column.begin() + at, column.begin() + node.count,
                            column.begin() + node.count + 1),
         ...);
      },
      node.columns());
  ++node.count;
}

template <class Node> void close_gap(Node& node, int at) {
  std::apply(
      [&](auto&... column) {
        (std::move(column.begin() + at + 1, column.begin() + node.count, column.begin() + at), ...);
      },
      node.columns());
  --node.count;
  node.times[node.count] = no_time;
}

// Appends the entries from `first` on to another node.
template <class Node> void hand_over(Node& from, int first, Node& to) {
  const auto move_column = [&](auto& source, auto& target) {
    std::move(source.begin() + first, source.begin() + from.count, target.begin() + to.count);
  };
  std::apply(
      [&](auto&... source) {
        std::apply([&](auto&... target) { (move_column(source, target), ...); }, to.columns());
      },
      from.columns());
  to.count += from.count - first;
  std::fill(from.times.begin() + first, from.times.begin() + from.count, no_time);
  from.count = first;
}

} // namespace

// ---- making and ending --------------------------------------------------------------------------

PointTree::PointTree(const std::vector<Point>& points) {
  root_.leaf = new Leaf();
  for (const auto& point : points) {
    touch(point.time);
    add(point.time, Instant::never(), sum(point.amount, -at(point.time)));
    for (auto more = point.spans; more > 1; --more) touch(point.time);
  }
}

// Node by node: point by point it would take as long as to make another one, and questions copy the
// largest diagrams there are.
PointTree::PointTree(const PointTree& other)
    : root_(copy_of(other.root_, other.height_)), height_(other.height_), size_(other.size_) {}

PointTree::Node PointTree::copy_of(Node node, int height) {
  Node copy;
  if (height == 0) {
    copy.leaf = new Leaf(*node.leaf);
    return copy;
  }
  copy.inner = new Inner(*node.inner);
  auto& children = copy.inner->children;
  for (int i = 0; i < copy.inner->count; ++i) {
    auto& child = children[static_cast<std::size_t>(i)];
    child = copy_of(child, height - 1);
  }
  return copy;
}

PointTree::~PointTree() { destroy(root_, height_); }

void PointTree::destroy(Node node, int height) {
  if (height == 0) {
    delete node.leaf;
    return;
  }
  for (int i = 0; i < node.inner->count; ++i) destroy(node.inner->children[i], height - 1);
  delete node.inner;
}

std::vector<PointTree::Point> PointTree::points() const {
  std::vector<Point> result;
  result.reserve(size_);
  collect(root_, height_, 0, result);
  return result;
}

void PointTree::collect(Node node, int height, std::int64_t above, std::vector<Point>& into) const {
  if (height == 0) {
    for (int i = 0; i < node.leaf->count; ++i)
      into.push_back({{node.leaf->times[i]}, node.leaf->amounts[i] + above, node.leaf->spans[i]});
    return;
  }
  for (int i = 0; i < node.inner->count; ++i)
    collect(node.inner->children[i], height - 1, above + node.inner->adds[i], into);
}

// ---- what is known of a node --------------------------------------------------------------------

PointTree::Range PointTree::range_of(const Leaf& leaf) {
  Range range{leaf.amounts[0], leaf.amounts[0]};
  for (int i = 1; i < leaf.count; ++i) {
    range.highest = std::max(range.highest, leaf.amounts[i]);
    range.lowest = std::min(range.lowest, leaf.amounts[i]);
  }
  return range;
}

PointTree::Range PointTree::range_of(const Inner& inner) {
  Range range{inner.highest[0], inner.lowest[0]};
  for (int i = 1; i < inner.count; ++i) {
    range.highest = std::max(range.highest, inner.highest[i]);
    range.lowest = std::min(range.lowest, inner.lowest[i]);
  }
  return range;
}

PointTree::Range PointTree::range_of(Node node, int height) const {
  return height == 0 ? range_of(*node.leaf) : range_of(*node.inner);
}

Instant PointTree::first_time(Node node, int height) const {
  return {height == 0 ? node.leaf->times[0] : node.inner->times[0]};
}

void PointTree::refresh(Inner& inner, int child, int height) {
  const auto range = range_of(inner.children[child], height - 1);
  inner.highest[child] = range.highest + inner.adds[child];
  inner.lowest[child] = range.lowest + inner.adds[child];
  inner.times[child] = first_time(inner.children[child], height - 1).seconds;
}

// ---- points -------------------------------------------------------------------------------------

void PointTree::touch(Instant time) {
  Node split{};
  if (!insert(root_, height_, time, 0, split)) return;
  auto* inner = new Inner();
  inner->count = 2;
  inner->children[0] = root_, inner->children[1] = split;
  inner->adds[0] = inner->adds[1] = 0;
  root_.inner = inner;
  ++height_;
  refresh(*inner, 0, height_), refresh(*inner, 1, height_);
}

// True if the node had to be split: its second half is then in `split`.
bool PointTree::insert(Node node, int height, Instant time, std::int64_t above, Node& split) {
  if (height == 0) {
    auto* leaf = node.leaf;
    int at = leaf->before(time.seconds);
    if (at < leaf->count && leaf->times[at] == time.seconds) {
      ++leaf->spans[at];
      return false;
    }
    const auto amount = at > 0 ? leaf->amounts[at - 1] : -above;
    const bool full = leaf->count == leaf_size;
    if (full) {
      auto* second = new Leaf();
      const int half = leaf_size / 2;
      hand_over(*leaf, half, *second);
      split.leaf = second;
      if (at > half) leaf = second, at -= half;
    }
    open_gap(*leaf, at);
    leaf->times[at] = time.seconds, leaf->amounts[at] = amount, leaf->spans[at] = 1;
    ++size_;
    return full;
  }
  auto* inner = node.inner;
  const int child = inner->child_of(time.seconds);
  const bool first = time.seconds < inner->times[child];
  Node half{};
  const bool grew =
      insert(inner->children[child], height - 1, time, above + inner->adds[child], half);
  if (first || grew) refresh(*inner, child, height);
  if (!grew) return false;
  const bool full = inner->count == fan_out;
  int at = child + 1;
  if (full) {
    auto* second = new Inner();
    const int middle = fan_out / 2;
    hand_over(*inner, middle, *second);
    split.inner = second;
  }
  const auto add_of_half =
      at <= inner->count ? inner->adds[child] : split.inner->adds[child - inner->count];
  if (at > inner->count) at -= inner->count, inner = split.inner;
  open_gap(*inner, at);
  inner->children[at] = half, inner->adds[at] = add_of_half;
  refresh(*inner, at, height);
  return full;
}

void PointTree::release(Instant time) {
  erase(root_, height_, time);
  while (height_ > 0 && root_.inner->count == 1) {
    const auto child = root_.inner->children[0];
    const auto amount = root_.inner->adds[0];
    delete root_.inner;
    root_ = child;
    --height_;
    add(root_, height_, {std::numeric_limits<std::int64_t>::min()}, Instant::never(), no_time,
        amount);
  }
}

// True if the point went.
bool PointTree::erase(Node node, int height, Instant time) {
  if (height == 0) {
    auto& leaf = *node.leaf;
    const int at = leaf.before(time.seconds);
    check(at < leaf.count && leaf.times[at] == time.seconds, "a point that is released exists");
    if (--leaf.spans[at] > 0) return false;
    close_gap(leaf, at);
    --size_;
    return true;
  }
  auto& inner = *node.inner;
  const int child = inner.child_of(time.seconds);
  if (!erase(inner.children[child], height - 1, time)) return false;
  balance(inner, child, height);
  return true;
}

// A child that became small joins its neighbour; an empty one goes.
void PointTree::balance(Inner& parent, int child, int height) {
  const auto count = [&](int i) {
    return height == 1 ? parent.children[i].leaf->count : parent.children[i].inner->count;
  };
  const int capacity = height == 1 ? leaf_size : fan_out;
  if (count(child) > capacity / 4) return refresh(parent, child, height);
  const int left = child > 0 ? child - 1 : child;
  const int right = left + 1;
  const bool joins = right < parent.count && count(left) + count(right) <= capacity * 3 / 4;
  if (joins) {
    const auto difference = parent.adds[right] - parent.adds[left];
    if (height == 1) {
      auto *to = parent.children[left].leaf, *from = parent.children[right].leaf;
      for (int i = 0; i < from->count; ++i) from->amounts[i] += difference;
      hand_over(*from, 0, *to);
      delete from;
    } else {
      auto *to = parent.children[left].inner, *from = parent.children[right].inner;
      for (int i = 0; i < from->count; ++i)
        from->adds[i] += difference, from->highest[i] += difference, from->lowest[i] += difference;
      hand_over(*from, 0, *to);
      delete from;
    }
    close_gap(parent, right);
    return refresh(parent, left, height);
  }
  if (count(child) > 0) return refresh(parent, child, height);
  if (height == 1) delete parent.children[child].leaf;
  else delete parent.children[child].inner;
  close_gap(parent, child);
}

// ---- amounts ------------------------------------------------------------------------------------

void PointTree::add(Instant from, Instant until, std::int64_t amount) {
  add(root_, height_, from, until, no_time, amount);
}

// `end`: all points of the node lie before it.
void PointTree::add(Node node, int height, Instant from, Instant until, std::int64_t end,
                    std::int64_t amount) {
  if (height == 0) {
    auto& leaf = *node.leaf;
    const int first = leaf.before(from.seconds);
    const int last = until.seconds >= end ? leaf.count : leaf.before(until.seconds);
    for (int i = first; i < last; ++i) leaf.amounts[i] = sum(leaf.amounts[i], amount);
    return;
  }
  auto& inner = *node.inner;
  for (int i = inner.child_of(from.seconds); i < inner.count; ++i) {
    if (inner.times[i] >= until.seconds && i > 0) break;
    const auto child_end = i + 1 < inner.count ? inner.times[i + 1] : end;
    if (inner.times[i] >= from.seconds && until.seconds >= child_end) {
      inner.adds[i] = sum(inner.adds[i], amount);
      inner.highest[i] = sum(inner.highest[i], amount);
      inner.lowest[i] = sum(inner.lowest[i], amount);
      continue;
    }
    add(inner.children[i], height - 1, from, until, child_end, amount);
    const auto range = range_of(inner.children[i], height - 1);
    inner.highest[i] = range.highest + inner.adds[i];
    inner.lowest[i] = range.lowest + inner.adds[i];
  }
}

} // namespace almanac
