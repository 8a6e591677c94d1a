// The counter of this machine: it does not go back, nobody sets it, and it counts on while the
// machine sleeps.
#pragma once

#include <cstdint>
#include <ctime>

namespace almanac {

/// Milliseconds since the machine started, those asleep included.
inline std::int64_t boot_clock_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

} // namespace almanac
