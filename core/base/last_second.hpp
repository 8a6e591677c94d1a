#pragma once

#include <cstdint>

namespace almanac {

/// The last second of the year 9999: dates have four digits of a year.
inline constexpr std::int64_t last_second = 253'402'300'799;

} // namespace almanac
