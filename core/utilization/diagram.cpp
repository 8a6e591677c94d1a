#include "core/utilization/diagram.hpp"

#include "core/base/check.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::size_t many = 64; // points; with more they go into a tree
constexpr std::size_t few = 32;  // with less they come back

using Point = PointTree::Point;
using Points = std::vector<Point>;

// The first point at or after `time`; the first after it.
auto first_from(Points& points, Instant time) {
  return std::lower_bound(points.begin(), points.end(), time,
                          [](const Point& point, Instant t) { return point.time < t; });
}
auto first_from(const Points& points, Instant time) {
  return std::lower_bound(points.begin(), points.end(), time,
                          [](const Point& point, Instant t) { return point.time < t; });
}
auto first_after(const Points& points, Instant time) {
  return std::upper_bound(points.begin(), points.end(), time,
                          [](Instant t, const Point& point) { return t < point.time; });
}

void touch(Points& points, Instant time) {
  const auto it = first_from(points, time);
  if (it != points.end() && it->time == time) {
    ++it->spans;
    return;
  }
  const auto amount = it == points.begin() ? 0 : std::prev(it)->amount;
  points.insert(it, {time, amount, 1});
}

void release(Points& points, Instant time) {
  const auto it = first_from(points, time);
  check(it != points.end() && it->time == time, "a point that is released exists");
  if (--it->spans == 0) points.erase(it);
}

} // namespace

Diagram::Diagram(const Diagram& other)
    : few_(other.few_),
      tree_(other.tree_ ? std::make_unique<PointTree>(other.tree_->points()) : nullptr) {}

Diagram& Diagram::operator=(const Diagram& other) {
  auto copy = other;
  return *this = std::move(copy);
}

void Diagram::add(Window window, std::int64_t amount) {
  if (window.start >= window.end) return;
  if (few_.size() + 2 > many) grow();
  const auto mark = [this](Instant time) { tree_ ? tree_->touch(time) : touch(few_, time); };
  mark(window.start);
  if (!window.end.is_never()) mark(window.end);
  raise(window, amount);
}

void Diagram::remove(Window window, std::int64_t amount) {
  if (window.start >= window.end) return;
  raise(window, -amount);
  const auto unmark = [this](Instant time) { tree_ ? tree_->release(time) : release(few_, time); };
  unmark(window.start);
  if (!window.end.is_never()) unmark(window.end);
  if (tree_ && tree_->size() < few) shrink();
}

void Diagram::raise(Window window, std::int64_t amount) {
  if (tree_) return tree_->add(window.start, window.end, amount);
  for (auto it = first_from(few_, window.start); it != few_.end() && it->time < window.end; ++it)
    check(!__builtin_add_overflow(it->amount, amount, &it->amount),
          "an amount stays within 64 bits");
}

void Diagram::grow() {
  if (tree_) return;
  tree_ = std::make_unique<PointTree>(few_);
  few_ = {};
}

void Diagram::shrink() {
  few_ = tree_->points();
  tree_.reset();
}

std::int64_t Diagram::at(Instant instant) const {
  if (tree_) return tree_->at(instant);
  const auto next = first_after(few_, instant);
  return next == few_.begin() ? 0 : std::prev(next)->amount;
}

std::int64_t Diagram::max(Window window) const {
  if (window.start >= window.end) return 0;
  auto highest = at(window.start);
  if (tree_) {
    const auto inside = tree_->max(window.start, window.end);
    return inside ? std::max(highest, *inside) : highest;
  }
  for (auto it = first_after(few_, window.start); it != few_.end() && it->time < window.end; ++it)
    highest = std::max(highest, it->amount);
  return highest;
}

std::optional<Instant> Diagram::last_above(Window window, std::int64_t limit) const {
  if (tree_) return tree_->last_above(window.start, window.end, limit);
  for (auto it = first_from(few_, window.end); it != few_.begin();) {
    --it;
    if (it->time < window.start) break;
    if (it->amount > limit) return it->time;
  }
  return std::nullopt;
}

std::optional<Instant> Diagram::first_at_most(Instant after, std::int64_t limit) const {
  if (tree_) return tree_->first_at_most(after, limit);
  for (auto it = first_after(few_, after); it != few_.end(); ++it)
    if (it->amount <= limit) return it->time;
  return std::nullopt;
}

// Skips to behind the last obstacle of the window, again and again: what lies before it can't hold
// the whole length.
std::optional<Instant> Diagram::earliest_fit(Instant from, Duration length,
                                             std::int64_t limit) const {
  std::optional<Instant> start = from;
  if (at(from) > limit) start = first_at_most(from, limit);
  while (start) {
    const auto obstacle = last_above({*start, *start + length}, limit);
    if (!obstacle) return start;
    start = first_at_most(*obstacle, limit);
  }
  return std::nullopt;
}

std::optional<Instant> Diagram::next_fit(Instant after, Duration length, std::int64_t limit) const {
  const auto start = first_at_most(after, limit);
  return start ? earliest_fit(*start, length, limit) : std::nullopt;
}

std::vector<Instant> Diagram::points() const {
  std::vector<Instant> result;
  for (const auto& point : tree_ ? tree_->points() : few_) result.push_back(point.time);
  return result;
}

} // namespace almanac
