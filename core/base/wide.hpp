// Amounts in millionths, and products of two of them without overflow.
#pragma once

#include <algorithm>
#include <cstdint>

namespace almanac {

__extension__ using Wide = __int128;

/// Amounts are written in millionths where they need not be whole.
namespace fixed_point {
inline constexpr std::int64_t unit = 1'000'000;
}

/// Brought into a range whose sums do not overflow.
inline std::int64_t clamped(Wide value) {
  constexpr std::int64_t most = 1'000'000'000'000'000'000;
  return static_cast<std::int64_t>(std::clamp<Wide>(value, -most, most));
}

} // namespace almanac
