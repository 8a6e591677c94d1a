#include "core/utilization/diagram.hpp"

#include "core/base/check.hpp"

#include <algorithm>

namespace almanac {

// Makes `instant` a point of the function without changing its values.
std::map<Instant, std::int64_t>::iterator Diagram::split_at(Instant instant) {
  const auto next = levels_.lower_bound(instant);
  if (next != levels_.end() && next->first == instant) return next;
  const auto level = next == levels_.begin() ? 0 : std::prev(next)->second;
  return levels_.emplace_hint(next, instant, level);
}

void Diagram::add(Window window, std::int64_t amount) {
  if (window.start >= window.end || amount == 0) return;
  if (!window.end.is_never()) split_at(window.end);
  const auto begin = split_at(window.start);
  for (auto it = begin; it != levels_.end() && it->first < window.end; ++it) {
    std::int64_t sum = 0;
    check(!__builtin_add_overflow(it->second, amount, &sum), "an amount stays within 64 bits");
    it->second = sum;
  }
  merge(begin, window.end);
}

// Only the two ends of a change can have become equal to their predecessors.
void Diagram::merge(std::map<Instant, std::int64_t>::iterator from, Instant until) {
  const auto drop_if_equal = [this](std::map<Instant, std::int64_t>::iterator it) {
    const auto before = it == levels_.begin() ? 0 : std::prev(it)->second;
    if (it->second == before) levels_.erase(it);
  };
  if (const auto end = levels_.find(until); end != levels_.end()) drop_if_equal(end);
  drop_if_equal(from);
}

std::int64_t Diagram::at(Instant instant) const {
  const auto next = levels_.upper_bound(instant);
  return next == levels_.begin() ? 0 : std::prev(next)->second;
}

std::int64_t Diagram::max(Window window) const {
  if (window.start >= window.end) return 0;
  auto highest = at(window.start);
  for (auto it = levels_.upper_bound(window.start); it != levels_.end() && it->first < window.end;
       ++it)
    highest = std::max(highest, it->second);
  return highest;
}

std::optional<Instant> Diagram::earliest_fit(Instant from, Duration length,
                                             std::int64_t limit) const {
  auto start = from;
  if (at(start) > limit) {
    auto it = levels_.upper_bound(start);
    while (it != levels_.end() && it->second > limit) ++it;
    if (it == levels_.end()) return std::nullopt;
    start = it->first;
  }
  for (auto it = levels_.upper_bound(start); it != levels_.end() && it->first < start + length;
       ++it) {
    if (it->second <= limit) continue;
    while (it != levels_.end() && it->second > limit) ++it;
    if (it == levels_.end()) return std::nullopt;
    start = it->first;
  }
  return start;
}

std::vector<Instant> Diagram::points() const {
  std::vector<Instant> result;
  for (const auto& [instant, level] : levels_) result.push_back(instant);
  return result;
}

} // namespace almanac
