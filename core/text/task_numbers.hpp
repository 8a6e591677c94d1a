// The tasks of a range, one after the other: `for (const auto task : TaskNumbers(range))`.
//
// Whatever the range holds, the loop ends and no sum overflows: a range that counts backwards or
// does not move has no tasks, and the number behind the last one is never worked out.
#pragma once

#include "core/text/ranges.hpp"

#include <cstdint>

namespace almanac {

/// The same tasks, the last being one that the steps reach: of 1-6:2 that is 5.
inline TaskRange reached(TaskRange range) {
  if (range.count() > 0) range.last = range.first + (range.count() - 1) * range.step;
  return range;
}

class TaskNumbers {
public:
  explicit TaskNumbers(const TaskRange& range)
      : range_(range),
        count_(range.step < 1 || range.last < range.first
                   ? 0
                   : distance(range.first, range.last) / static_cast<std::uint64_t>(range.step) +
                         1) {}

  class Iterator {
  public:
    Iterator(const TaskNumbers& all, std::uint64_t at) : all_(&all), at_(at) {}
    std::int64_t operator*() const {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(all_->range_.first) +
                                       at_ * static_cast<std::uint64_t>(all_->range_.step));
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

  private:
    const TaskNumbers* all_;
    std::uint64_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, count_}; }

private:
  // Of numbers without a sign no difference overflows.
  static std::uint64_t distance(std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  }

  TaskRange range_;
  std::uint64_t count_; ///< of all numbers there are, 2^64, it would be 0
};

} // namespace almanac
