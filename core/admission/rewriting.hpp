// What one input may have written anew of jobs: everybody waits until it is.
#pragma once

#include <cstdint>

namespace almanac {

class Rewriting {
public:
  /// Whether a record of so many bytes may be written beside those before it; the first one always
  /// may.
  bool has_room_for(std::int64_t bytes) {
    if (taken_ > 0 && bytes > most - taken_) return false;
    taken_ += bytes;
    return true;
  }

private:
  static constexpr std::int64_t most = 32 << 20;
  std::int64_t taken_ = 0;
};

} // namespace almanac
