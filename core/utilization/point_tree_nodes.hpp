// The nodes of a point tree: arrays of equal length, its columns. Only point_tree*.cpp knows them.
//
// Times behind the last entry are `no_time`. So a search can look at a fixed number of places: no
// branch depends on what it finds there, and it waits for all of their cache lines together.
#pragma once

#include "core/utilization/point_tree.hpp"

#include <array>
#include <limits>
#include <tuple>

namespace almanac {

inline constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::max(); // as never()

/// How many of the ascending times lie before `time`: whole eights by the last of each, then single
/// ones.
template <std::size_t size>
int count_before(const std::array<std::int64_t, size>& times, std::int64_t time) {
  static_assert(size % 8 == 0);
  std::size_t eights = 0, more = 0;
  for (std::size_t i = 7; i + 8 < size; i += 8) eights += times[i] < time ? 1 : 0;
  const auto* eight = times.data() + 8 * eights;
  for (int i = 0; i < 8; ++i) more += eight[i] < time ? 1 : 0;
  return static_cast<int>(8 * eights + more);
}

struct PointTree::Leaf {
  int count = 0;
  std::array<std::int64_t, leaf_size> times, amounts;
  std::array<std::int32_t, leaf_size> spans;

  Leaf() { times.fill(no_time); }

  // How many times lie before `time`; not after it.
  int before(std::int64_t time) const { return count_before(times, time); }
  int not_after(std::int64_t time) const { return time == no_time ? count : before(time + 1); }
  auto columns() { return std::tie(times, amounts, spans); }
};

struct PointTree::Inner {
  int count = 0;
  std::array<std::int64_t, fan_out> times;           // the first below each child
  std::array<std::int64_t, fan_out> adds;            // to all amounts below
  std::array<std::int64_t, fan_out> highest, lowest; // below, with the child's own add
  std::array<Node, fan_out> children;

  Inner() { times.fill(no_time); }

  // The child in which `time` lies, or the first.
  int child_of(std::int64_t time) const {
    const int not_after = time == no_time ? count : count_before(times, time + 1);
    return not_after > 0 ? not_after - 1 : 0;
  }
  // All points of the child lie before it, as those of this node lie before `end`.
  std::int64_t end_of(int child, std::int64_t end) const {
    return child + 1 < count ? times[static_cast<std::size_t>(child + 1)] : end;
  }
  auto columns() { return std::tie(times, adds, highest, lowest, children); }
};

} // namespace almanac
