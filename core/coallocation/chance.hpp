// Numbers that look random, from a seed that the caller brings: the same seed gives the same
// numbers.
#pragma once

#include <cstdint>

namespace almanac {

class Chance {
public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}

  /// SplitMix64 (Steele, Lea, Flood 2014).
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    auto value = state_;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
  }
  /// From 0 to `most`, which is not negative.
  std::int64_t up_to(std::int64_t most) {
    return static_cast<std::int64_t>(next() % (static_cast<std::uint64_t>(most) + 1));
  }

private:
  std::uint64_t state_;
};

} // namespace almanac
