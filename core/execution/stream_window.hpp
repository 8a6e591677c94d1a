// Flow control of one direction of a stream: how many bytes may be on their way to a reader.
//
//   sender --sent()--> on the way --taken()--> reader
//
// 1. Never more than `largest` bytes lie between the two: whoever does not read makes the sender
//    wait, and costs no memory beyond that.
// 2. A reader that says that it has taken more than was sent is believed as far as that.
#pragma once

#include <algorithm>
#include <cstdint>

namespace almanac {

class StreamWindow {
public:
  explicit StreamWindow(std::int64_t largest) : largest_(largest) {}

  /// Bytes that may be sent now.
  std::int64_t room() const { return std::max<std::int64_t>(0, largest_ - on_the_way_); }
  bool is_open() const { return room() > 0; }

  void sent(std::int64_t bytes) { on_the_way_ += std::max<std::int64_t>(0, bytes); }
  void taken(std::int64_t bytes) { on_the_way_ -= std::clamp<std::int64_t>(bytes, 0, on_the_way_); }

private:
  std::int64_t largest_, on_the_way_ = 0;
};

/// The other end: says now and then what was taken, so that the window is open again before it
/// closes.
class TakenCount {
public:
  /// `told_after`: bytes; a part of the window.
  explicit TakenCount(std::int64_t told_after) : told_after_(told_after) {}

  /// What is to be told now; 0: nothing yet.
  std::int64_t take(std::int64_t bytes) {
    untold_ += bytes;
    if (untold_ < told_after_) return 0;
    const auto told = untold_;
    untold_ = 0;
    return told;
  }

private:
  std::int64_t told_after_, untold_ = 0;
};

} // namespace almanac
