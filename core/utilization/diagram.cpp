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

// The start of the first run of points of at most the limit that lasts for the length. One may have
// begun at `start`.
std::optional<Instant> first_run(std::optional<Instant> start, Points::const_iterator point,
                                 Points::const_iterator end, Duration length, std::int64_t limit) {
  for (; point != end; ++point) {
    if (point->amount <= limit) {
      if (!start) start = point->time;
      continue;
    }
    if (start && point->time >= *start + length) return start;
    start.reset();
  }
  return start;
}

} // namespace

Diagram::Diagram(const Diagram& other)
    : few_(other.few_), tree_(other.tree_ ? std::make_unique<PointTree>(*other.tree_) : nullptr) {}

Diagram& Diagram::operator=(const Diagram& other) {
  auto copy = other;
  return *this = std::move(copy);
}

void Diagram::add(Window window, std::int64_t amount) {
  if (window.start >= window.end) return;
  if (few_.size() + 2 > many) grow();
  if (!tree_ && few_.capacity() == 0) few_.reserve(2); // many have one span
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
  if (tree_) return tree_->max(window.start, window.end);
  auto highest = at(window.start);
  for (auto it = first_after(few_, window.start); it != few_.end() && it->time < window.end; ++it)
    highest = std::max(highest, it->amount);
  return highest;
}

std::optional<Instant> Diagram::earliest_fit(Instant from, Duration length,
                                             std::int64_t limit) const {
  if (tree_) return tree_->earliest_fit(from, length, limit);
  const auto start = at(from) <= limit ? std::optional(from) : std::nullopt;
  return first_run(start, first_after(few_, from), few_.end(), length, limit);
}

std::optional<Instant> Diagram::next_fit(Instant after, Duration length, std::int64_t limit) const {
  if (tree_) return tree_->next_fit(after, length, limit);
  return first_run(std::nullopt, first_after(few_, after), few_.end(), length, limit);
}

std::vector<Instant> Diagram::points() const {
  std::vector<Instant> result;
  for (const auto& point : tree_ ? tree_->points() : few_) result.push_back(point.time);
  return result;
}

bool Diagram::operator==(const Diagram& other) const {
  const auto mine = points();
  return mine == other.points() && std::all_of(mine.begin(), mine.end(), [&](Instant instant) {
           return at(instant) == other.at(instant);
         });
}

} // namespace almanac
